"""REST, web page and command line: validate, call one function, serialise."""
