from .bounded_fetch import BoundedFetcher as BoundedFetcher
from .bounded_fetch import PrivateAddressError as PrivateAddressError
from .discovery import check_site as check_site
from .discovery import discover as discover
from .discovery import to_yaml as to_yaml
