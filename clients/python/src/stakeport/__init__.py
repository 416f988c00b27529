"""
A client of stakeport: strategies and orders on prediction markets.

    from stakeport import Client

    client = Client("http://127.0.0.1:8080")
    order = client.orders.place(market_id="home-away", token="YES", price="0.6", size_usdc=14)
    print(order.status, order.filled_shares)
"""

from ._group import Pages
from ._wire import UNSET, Amount, Model, Unset
from .client import Client
from .errors import EventsMissed, InvalidMember, OutcomeUnknown, Refused, StakeportError, Unreachable

__all__ = [
    "UNSET",
    "Amount",
    "Client",
    "EventsMissed",
    "InvalidMember",
    "Model",
    "OutcomeUnknown",
    "Pages",
    "Refused",
    "StakeportError",
    "Unreachable",
    "Unset",
]
