"""What news calls people and bodies that it does not name: "the lender", "the deputy mayor". English."""

from functools import cache

_NOUNS = """
company: company firm business corporation operator manufacturer maker owner employer developer contractor
company.bank: bank lender investor
company.airline: airline carrier
company.airport: airport
company.carmaker: carmaker automaker
company.retailer: retailer supermarket
company.publisher: publisher newspaper paper broadcaster
company.landlord: landlord
company.insurer: insurer
company.boss: executive chairman chairwoman founder boss manager investor
company.investor: investor shareholder
company.exporter: exporter
state: government cabinet
state.minister: minister ministry secretary
state.president: president
state.police: police policeman policewoman officer detective constable
state.army: army military soldier troop navy guard
state.coastguard: coastguard guard
state.fire: firefighter
state.regulator: regulator watchdog
state.governor: governor
state.mayor: mayor
state.mayor.council: council councillor
state.diplomat: ambassador envoy diplomat embassy
parliament: parliament lawmaker legislator legislature mp committee panel
parliament.senate: senate senator
parliament.opposition: opposition
law.court: court judge tribunal magistrate panel
law.court.jury: jury juror
law.prosecutor: prosecutor prosecution attorney
law.lawyer: lawyer attorney barrister solicitor
worker: worker employee staff striker union
worker.dockworker: dockworker docker
worker.miner: miner
worker.nurse: nurse medic paramedic
worker.doctor: doctor physician surgeon medic
worker.teacher: teacher headteacher
worker.farmer: farmer
worker.fisherman: fisherman
worker.driver: driver
worker.pilot: pilot captain
worker.controller: controller
worker.engineer: engineer
worker.builder: builder plumber electrician carpenter
worker.baker: baker butcher chef cook waiter waitress
worker.guard: guard warden ranger
worker.shepherd: shepherd
worker.sailor: sailor
worker.astronaut: astronaut
school: school headteacher principal
school.university: university college professor
hospital: hospital doctor
science: scientist researcher expert academic professor study paper author panel
science.archaeologist: archaeologist
science.biologist: biologist zoologist
science.chemist: chemist
science.physicist: physicist astronomer
science.geologist: geologist seismologist
science.historian: historian
science.economist: economist analyst
church: church
church.bishop: bishop archbishop
church.priest: priest vicar pastor
church.pope: pope
club: club
club.coach: coach manager
club.player: player captain
club.player.goalkeeper: goalkeeper
club.player.striker: striker
club.referee: referee umpire
public: passenger tourist reader
public.fan: fan supporter
public.student: student pupil
public.resident: resident villager neighbour neighbor voter
public.resident.tenant: tenant
public.patient: patient
public.cyclist: cyclist
public.pedestrian: pedestrian
public.hiker: hiker climber
rebel: rebel insurgent militant guerrilla
mosque.imam: imam
synagogue.rabbi: rabbi
royal.king: king
royal.queen: queen
royal.prince: prince
press: journalist reporter editor newspaper
arts.actor: actor actress
arts.singer: singer musician
arts.writer: writer novelist poet author
arts.artist: artist painter sculptor
museum: museum
library: library librarian
charity: charity
zoo: zoo zookeeper
prison: prison
league: league
woman: mother wife widow daughter sister aunt grandmother niece
man: father husband widower son brother uncle grandfather nephew
"""
"""Each line: what the nouns are, from the widest class to the closest; a noun may be in several lines."""
_PLURALS = {"fisherman": "fishermen", "chairman": "chairmen", "policeman": "policemen", "policewoman": "policewomen"}
_QUALIFIERS = """
foreign|finance treasury|defence defense|interior home|health|education|justice|transport|energy|environment
agriculture|culture|trade|labour labor
opposition|governing ruling government
car|van|bus|lorry truck|train|tram|taxi|ferry|tanker|boat|plane jet airliner|helicopter
motorcycle motorbike|bicycle bike
"""
"""What tells holders of one office from others; a stroke or the end of a line parts what is not the same."""
RANKS = frozenset("deputy vice assistant prime".split())
"""Of one who holds another office than the noun by itself says."""

Kinds = frozenset[str]


@cache
def kinds_of(word: str) -> Kinds:
    """Return what somebody is who is called by a folded noun, singular or plural; empty: it may be anybody."""
    return _kinds().get(word, frozenset())


def may_be_same(ours: Kinds, theirs: Kinds) -> bool:
    """Say whether what is of one kind may be of another: a firm and a bank, a court and a judge."""
    return any(_holds(one, other) or _holds(other, one) for one in ours for other in theirs)


@cache
def qualifier(word: str) -> int | None:
    """Return a number that words for one field, side or vehicle have in common; None: it tells nobody apart."""
    groups = _QUALIFIERS.strip().replace("\n", "|").split("|")
    return next((number for number, group in enumerate(groups) if word in group.split()), None)


def _holds(wide: str, close: str) -> bool:
    return f"{close}.".startswith(f"{wide}.")


@cache
def _kinds() -> dict[str, Kinds]:
    found: dict[str, Kinds] = {}
    for line in _NOUNS.strip().splitlines():
        kind, _, nouns = line.partition(": ")
        for noun in nouns.split():
            for form in (noun, _plural(noun)):
                found[form] = found.get(form, frozenset()) | {kind}
    return found


def _plural(noun: str) -> str:
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "ch", "x")) else f"{noun}s"
