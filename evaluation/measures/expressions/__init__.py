"""
Keyword logic: relevance written as expressions over the articles.

::

    expression := conjunction { "OR" conjunction }
    conjunction := negation { "AND" negation }
    negation   := "NOT" negation | "(" expression ")" | term
    term       := [ field ":" ] ( word | word "*" | "phrase" | "(" expression ")" | from ".." to )
    field      := headline | body | section | source | url | published | id

- AND, OR and NOT are in capitals; AND binds tighter than OR, NOT tighter than AND; two terms need an operator between.
- Capitals do not matter. Words are runs of letters and digits: `COVID-19` is the phrase "COVID 19".
- `"..."` is a phrase, within one field; `Samoa*` is any word that begins so, also as the last word of a phrase.
- Without a field, a term is looked for in headline and body.
- `published:2019-08..2019-09` compares ISO dates, both ends included; `published:2019-08*` is every day of that month.
"""
