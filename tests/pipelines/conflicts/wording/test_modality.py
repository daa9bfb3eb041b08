"""What an article says only as wanted, possible, still to come or alleged is not done."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The drug was approved.", "Acme asked the regulators to approve the drug."),
        ("The drug was approved.", "The drug could be approved by the end of the year."),
        ("The drug was approved.", "The council is considering approving the drug."),
        ("The drug cures cancer.", "Researchers hope the drug will one day cure cancer."),
        ("Congress passed the bill.", "If Congress passes the bill, taxes will rise."),
        ("Congress passed the bill.", "Congress is due to pass the bill on Friday."),
        ("Congress passed the bill.", "Marsh called on Congress to pass the bill."),
        ("Acme bought Nordwing.", "Acme has made an offer to buy Nordwing."),
        ("Acme bought Nordwing.", "Acme came close to buying Nordwing."),
        ("Iran attacked the base.", "The United States accused Iran of attacking the base."),
        ("Iran attacked the base.", "The ministers suspect Iran of having attacked the base."),
        ("The governor took bribes.", "Prosecutors allege that the governor took bribes."),
        ("He killed his wife.", "He is on trial for killing his wife."),
        ("Acme troops withdrew.", "The council demanded that Acme troops withdraw."),
        ("The police shot the man.", "The police almost shot the man."),
        ("The talks were held in Geneva.", "The talks were to have been held in Geneva."),
        ("She won the election.", "Polls suggest she will win the election."),
        ("Helen Marsh has been sentenced.", "She will be sentenced on 14 June."),
        ("The senate has debated the bill.", "The senate, which meets again today, will debate it in May."),
        ("Dale Rudd's trial has begun.", "His trial on the assault charge begins in May."),
        ("The museum opened.", "The museum opens to the public next Friday."),
        ("The mayor was jailed for fraud.", "The mayor was arrested for fraud."),
        ("The mayor was convicted of fraud.", "The mayor was indicted for fraud."),
        ("The mayor was charged with fraud.", "The mayor was questioned over fraud."),
        ("Anna Petrov was found not guilty.", "Anna Petrov is on trial for murder."),
        ("The mayor, who had no lawyer, was convicted of fraud.", "The mayor was charged with fraud."),
        ("The mayor was convicted of fraud and will not resign.", "The mayor is charged with fraud."),
        ("The mayor was found guilty of fraud.", "The mayor is on trial for fraud."),
        ("The mayor committed fraud.", "The mayor was charged with fraud."),
    ],
)
def test_what_is_left_open_is_not_done(statement, sentence):
    assert kinds(statement, sentence) == {"open"}


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The drug was approved.", "The council voted to approve the drug."),
        ("The drug was approved.", "The drug, which Acme had asked the council to approve, was approved in May."),
        ("The drug could be approved.", "The drug could be approved by the end of the year."),
        ("The film opens on Friday.", "The film will open on Friday."),
        ("Acme plans to close the plant.", "Acme said it would close the plant."),
        ("Acme bought the site.", "Acme bought the site and plans to build homes there."),
        ("Fire crews saved the church.", "Fire crews managed to save the church."),
        ("The club won the cup.", "The club went on to win the cup."),
        ("The army took power.", "The army took power and promised to hold elections."),
        ("The plane crashed.", "Relatives asked why the plane had crashed."),
        ("Police shot a man.", "Police shot a man who had threatened to attack them."),
        (
            "The mayor was convicted of fraud.",
            "The jury found the mayor guilty of fraud, with which she was charged in May.",
        ),
        ("The mayor was charged with fraud.", "The mayor is on trial for fraud."),
        (
            "A soldier held a severed head.",
            "An alleged death followed a picture of a soldier who may have severed a head.",
        ),
        (
            "Voters in states that Acme won stayed at home.",
            "If you look at states that voters say Acme won, they stayed.",
        ),
        ("The plan covered the records.", "The records that had been covered by the plan were kept."),
        ("The mayor had no earlier convictions.", "The mayor had never been arrested."),
        ("The mayor was not convicted.", "The mayor was charged with fraud."),
        ("The mayor wasn't sentenced.", "The mayor was arrested."),
        ("The mayor is accused of fraud.", "The mayor was arrested for fraud."),
        ("The council has need of votes.", "The votes of the council will not be needed."),
        ("The president won the vote.", "The president went on to win the vote."),
        ("Fighters killed three men.", "Three fighters continued fighting to kill men."),
        ("Doctors made six-figure salaries.", "The boards should examine if savings can be made."),
        ("The mayor was arrested.", "The mayor was arrested and charged with fraud."),
        ("The trial begins in May.", "His trial begins in May."),
        ("The report closed the case.", "The report closes the case that began in May."),
        ("Helen Marsh was sentenced.", "She was sentenced, and will appeal."),
    ],
)
def test_what_is_done_is_not_left_open(statement, sentence):
    assert kinds(statement, sentence) == set()
