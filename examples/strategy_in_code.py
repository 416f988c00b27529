"""A strategy in code: a program that reads markets, decides by a function, and buys under a strategy, whose caps and limits hold for it.

Python 3.10, and the client in clients/python, installed or by its path:
    PYTHONPATH=clients/python/src python3 examples/strategy_in_code.py home-away 0.58
The server: npm start demo
"""

from __future__ import annotations

import os
import sys
from decimal import Decimal

from stakeport import Client, StakeportError
from stakeport.models import BookUpdate, Market, ResultUpdate

USDC, WIDEST = Decimal("16"), Decimal("0.06")


def decide(bid: Decimal, ask: Decimal, status: str | None, bets: int, price: Decimal) -> bool:
    """Buys once, in play, at this price or better, while both sides of the book are close together."""
    return status == "in_play" and bets == 0 and ask - bid <= WIDEST and ask <= price


def trade(client: Client, markets: str, price: Decimal) -> None:
    """Trades by the function, until every market has its result."""
    # The program decides: nothing trades by these rules. What bounds losses may stand beside them, as limits.
    strategy = client.strategies.create(
        name="Cheap in play",
        sport="soccer",
        rules={"sizing": {"method": "flat", "value": USDC}, "limits": {"daily_loss": 100}},
        bankroll_cap=1000,
        stake_cap=20,
    )
    print(f"strategy {strategy.id} follows {markets}: it buys YES once, in play, at {price} or better", flush=True)
    status: dict[str, str | None] = {}
    bought: set[str] = set()
    for update in client.follow(markets):
        if isinstance(update, Market):
            status[update.id] = update.status
        elif isinstance(update, ResultUpdate):
            print(f"result: YES pays {update.payout.yes}", flush=True)
            if all(one == "resolved" for one in status.values()):
                return
        elif isinstance(update, BookUpdate) and update.fresh and update.bids and update.asks:
            market, bid, ask = update.market_id, update.bids[0].price, update.asks[0].price
            if decide(bid, ask, status.get(market), int(market in bought), price):
                bought.add(market)
                # The key makes it one order of this strategy, however often the request is sent.
                order = client.orders.place(
                    market_id=market,
                    token="YES",
                    price=price,
                    size_usdc=USDC,
                    time_in_force="FAK",
                    strategy_id=strategy.id,
                    idempotency_key=f"{strategy.id}:{market}",
                )
                print(f"bought {order.filled_shares} for {order.filled_size_usdc}: {order.error or order.status}", flush=True)


try:
    given = dict(enumerate(sys.argv))
    trade(Client(os.environ.get("BASE"), os.environ.get("KEY")), given.get(1, "home-away"), Decimal(given.get(2, "0.58")))
except StakeportError as error:
    sys.exit(str(error))
