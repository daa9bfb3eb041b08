"""The steps of `perspectives`: from retrieved passages to theses, stances and sides."""
