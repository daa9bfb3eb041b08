"""
Name resolution that never hands out an address inside the owner's network.

Every connection resolves through here, and connects to exactly the addresses that passed: a name that changes its
answer between check and connection (DNS rebinding) gains nothing.
"""

import ipaddress
import logging
from collections.abc import Sequence
from typing import Any, Self

from scrapy.crawler import Crawler
from twisted.internet.base import ReactorBase
from twisted.internet.interfaces import IAddress, IHostnameResolver, IResolutionReceiver
from zope.interface import implementer

logger = logging.getLogger(__name__)
PRIVATE_HOSTS = "LOOKSY_PRIVATE_HOSTS"
"""Scrapy setting: hosts that may be on this machine or in a private network."""
_EMBEDDED_IPV4 = ipaddress.ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """
    Say whether the internet routes an IP address, and anything that is written inside of it.

    Private, loopback, link-local, multicast, reserved and unspecified addresses are not public; nor are IPv6 forms of
    such IPv4 addresses (mapped, 6to4, Teredo, NAT64).
    """
    try:
        parsed = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = [parsed.ipv4_mapped, parsed.sixtofour, *(parsed.teredo or ())]
        if parsed in _EMBEDDED_IPV4:
            inner.append(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF))
        if any(address is not None and not is_public(str(address)) for address in inner):
            return False
        if any(address is not None for address in inner[:1]):
            return True
    return parsed.is_global and not parsed.is_multicast


@implementer(IResolutionReceiver)
class _PublicOnly:
    """Passes on the public addresses of a resolution."""

    def __init__(self, receiver: Any, host: str) -> None:
        self.receiver = receiver
        self.host = host

    def resolutionBegan(self, resolutionInProgress: object) -> None:
        self.receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: IAddress) -> None:
        if is_public(str(getattr(address, "host", ""))):
            self.receiver.addressResolved(address)
        else:
            logger.warning("%s resolves to %s, which is not public; refused", self.host, address)

    def resolutionComplete(self) -> None:
        self.receiver.resolutionComplete()


@implementer(IHostnameResolver)
class PublicOnlyResolver:
    """
    Wraps the reactor's resolver; Scrapy installs it (`TWISTED_DNS_RESOLVER`).

    :param reactor: Whose resolver is wrapped.
    :param private_hosts: Hosts that may have any address.
    """

    def __init__(self, reactor: ReactorBase, private_hosts: frozenset[str]) -> None:
        self.reactor = reactor
        self.original: Any = reactor.nameResolver
        self.private_hosts = private_hosts

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        """Make one for a crawl."""
        return cls(reactor, frozenset(crawler.settings.getlist(PRIVATE_HOSTS)))

    def install_on_reactor(self) -> None:
        """Take the place of the reactor's resolver."""
        reactor: Any = self.reactor
        reactor.installNameResolver(self)

    def resolveHostName(
        self,
        resolutionReceiver: object,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[IAddress]] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any:
        """Resolve a name, or an address written as a name."""
        receiver = resolutionReceiver
        if hostName.lower() not in self.private_hosts:
            receiver = _PublicOnly(resolutionReceiver, hostName)
        return self.original.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)
