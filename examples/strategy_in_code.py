"""A strategy in code: a program that reads markets, decides by a function, and buys under a strategy, whose caps and limits hold for it.

Python 3 alone, no package:
    python3 examples/strategy_in_code.py home-away
The server: TAPE_START=request TAPE_SPEED=2 MARKET_DATA=tape:examples/two-markets.jsonl DATABASE_URL=memory: npm start
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from decimal import Decimal

BASE, KEY = os.environ.get("BASE", "http://127.0.0.1:8080"), os.environ.get("KEY", "")


def decide(bid, ask, status, bets):
    """Buys once, in play, for 16 dollars at 0.57 or better, while both sides of the book are close together."""
    if status == "in_play" and bets == 0 and ask - bid <= Decimal("0.03") and ask <= Decimal("0.57"):
        return {"usdc": "16", "price": "0.57"}
    return None


def request(method, path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    common = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    return urllib.request.Request(BASE + path, data, {**common, **headers}, method=method)


def call(method, path, body, **headers):
    try:
        with urllib.request.urlopen(request(method, path, body, **headers), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["detail"])


def followed(markets):
    """The events of the stream of markets, for ever: it comes back with the last id, and so misses none that are kept."""
    last = ""
    while True:
        path = f"/v1/exchange/markets/stream?market={markets}"
        try:
            with urllib.request.urlopen(request("GET", path, **{"Last-Event-ID": last}), timeout=60) as stream:
                event = ""
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "id":
                        last = value
                    elif name == "event":
                        event = value
                    elif name == "data":
                        yield event, json.loads(value)
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise SystemExit(json.load(error)["detail"])
        except OSError:
            pass  # the connection broke
        time.sleep(1)


def trade(markets):
    """Trades by the function, until every market has its result."""
    # The program decides: nothing trades by these rules. What bounds losses may stand beside them, as limits.
    rules = {"sizing": {"method": "flat", "value": 16}, "limits": {"daily_loss": 100}}
    strategy = {"name": "Cheap in play", "sport": "soccer", "rules": rules, "bankroll_cap": 1000, "stake_cap": 20}
    sid = call("POST", "/v1/strategies", strategy)["id"]
    print(f"strategy {sid} follows {markets}", flush=True)
    status, bought = {}, set()
    for event, data in followed(markets):
        if event == "market":
            status[data["id"]] = data["status"]
        elif event == "result":
            print(f"result: YES pays {data['payout']['yes']}", flush=True)
            if all(one == "resolved" for one in status.values()):
                return
        elif event == "book" and data["fresh"] and data["bids"] and data["asks"]:
            market = data["market_id"]
            bid, ask = (Decimal(data[side][0]["price"]) for side in ("bids", "asks"))
            bet = decide(bid, ask, status.get(market), int(market in bought))
            if bet is None:
                continue
            bought.add(market)
            body = {"market_id": market, "token": "YES", "price": bet["price"], "size_usdc": bet["usdc"],
                    "time_in_force": "FAK", "strategy_id": sid}
            # The key makes it one order, however often it is sent.
            order = call("POST", "/v1/exchange/orders", body, **{"Idempotency-Key": f"{sid}:{market}"})
            print(f"bought {order['filled_shares']} for {order['filled_size_usdc']}: {order['error'] or order['status']}",
                  flush=True)


trade(sys.argv[1] if len(sys.argv) > 1 else "home-away")
