"""Speed, size and agreement of Looksy beside other tools. Run as modules; nothing here is needed to use Looksy."""
