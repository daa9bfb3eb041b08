"""Somebody else in the place of somebody whom neither text names."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds

STRIKE = "The union that represents 2,400 dockworkers at Halden said on Monday that the strike would last a week."
REILLY = "The deputy mayor of Brackwell, Colm Reilly, resigned on Tuesday over the sale of land to the council."
REPORT = "An accident report published on Thursday clears the air traffic controller who was on duty in Lindmark."
CRASH = "The driver of the car died and two passengers of a van were injured in a crash near Oster."
AID = "The foreign minister, Anneke Visser, promised $40 million in aid for survivors in Tavala."


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The bank said the strike at Halden would last a week.", STRIKE),
        ("The strike at Halden would last a week, the bank said.", STRIKE),
        ("The strike at Halden would last a week, according to the police.", STRIKE),
        ("The mayor of Brackwell resigned over the sale of land.", REILLY),
        ("The governor of Brackwell resigned over the sale of land.", REILLY),
        ("The report clears the pilot in Lindmark.", REPORT),
        ("The driver of the van died in a crash near Oster.", CRASH),
        ("The van driver died in a crash near Oster.", CRASH),
        ("The finance minister promised $40 million in aid for Tavala.", AID),
        ("The prime minister promised $40 million in aid for Tavala.", AID),
        (
            "The minister of finance promised $40 million in aid.",
            "Foreign Minister Jo Dale promised $40 million in aid.",
        ),
        ("The company said brakes may fail in the rain.", "Regulators said that brakes may fail in the rain."),
        ("The sale was stopped by the mayor on Friday.", "A judge on Friday stopped the sale."),
        ("A judge stopped the sale on Friday.", "The sale was stopped by prosecutors on Friday."),
        ("The coach was banned for pushing a fan.", "The coach was banned for pushing a referee."),
        ("The airport cancelled 40 flights.", "The airline said on Monday that it had cancelled 40 flights."),
        ("Dockworkers rerouted 14 vessels.", "Freight companies said they had rerouted 14 vessels to Gorvik."),
        ("The airport suspended the captain of the smaller jet.", "The airline has suspended him."),
        ("The mother said the money was gone.", "His uncle said the money was gone."),
        ("Two senators of the opposition voted no.", "Two senators of the governing party voted no."),
        ("The captain of the fishing boat was held.", "The captain of the ferry was held after it hit a fishing boat."),
        ("The case against the owner was dropped.", "The case against the editor was dropped."),
        ("Government lawmakers blocked the water bill.", "Opposition lawmakers blocked the water bill."),
    ],
)
def test_a_sentence_says_it_of_somebody_else(statement, sentence):
    assert kinds(statement, sentence) == {"party"}


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The union said the strike would last a week.", STRIKE),
        ("Dockworkers said the strike would last a week.", STRIKE),
        ("Officials said the strike at Halden would last a week.", STRIKE),
        ("The deputy mayor of Brackwell resigned over the sale of land.", REILLY),
        ("An official in Brackwell resigned over the sale of land.", REILLY),
        ("The driver of the car died in a crash near Oster.", CRASH),
        ("The driver died in a crash near Oster.", CRASH),
        ("The foreign minister promised $40 million in aid for Tavala.", AID),
        ("The minister promised $40 million in aid for Tavala.", AID),
        ("The foreign ministry promised $40 million in aid for Tavala.", AID),
        ("The bank said prices were rising.", "The lender said prices were rising."),
        ("The company said prices were rising.", "The carmaker said prices were rising."),
        ("The bank said prices were rising.", "It said prices were rising."),
        ("The teacher kidnapped three girls in Leeds.", "Police said he had kidnapped three girls in Leeds."),
        ("The mayor won the race in Oslo.", "Former lawyer Ida Moe won the race in Oslo."),
        ("The pilot cancelled 40 flights.", "The airline said that 40 flights had been cancelled."),
        ("The boys fled to Spain.", "Police said they had fled to Spain."),
        ("The council fined the club.", "The union leader said the club was fined."),
        ("Teachers called off the strike.", "The union called off the strike."),
        ("The union's president resigned.", "The union leader resigned on Monday."),
        ("The coast guard said that it was foggy.", "The coastguard said that it was foggy."),
        ("The bank hired 40 people.", "The bank robbery was filmed by police, who hired 40 people."),
        ("The police said the road was closed.", "Officers said the road was closed."),
        ("A court convicted him of fraud.", "A jury convicted him of fraud."),
        ("Troops entered Ankoro.", "The army entered Ankoro."),
        ("The judge fined the paper.", "The paper was fined by a court."),
        ("The bank raised its rate.", "The rate, the union said, was raised by the lender."),
    ],
)
def test_one_may_be_called_by_another_noun(statement, sentence):
    assert kinds(statement, sentence) == set()
