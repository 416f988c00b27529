#!/bin/sh
# A strategy that trades by itself, on the recording of the repository, from its creation to its profit:
#   TAPE_SPEED=2 MARKET_DATA=tape:examples/two-markets.jsonl DATABASE_URL=memory: npm start &
#   sh examples/automation.sh
# Start it within 20 seconds of the server: the price that it waits for is gone after 45 seconds of the recording.
set -eu

BASE=${BASE:-http://127.0.0.1:8080}
KEY=${KEY:-}

# call METHOD PATH [BODY]: prints the response, and ends the script if it is an error.
call() {
  curl --silent --show-error --fail-with-body --request "$1" "$BASE$2" \
    --header "Authorization: Bearer $KEY" ${3:+--header "Content-Type: application/json" --data "$3"}
  echo
}

# member NAME: prints the first string member of that name of the JSON on standard input; nothing where there is none.
member() {
  tr ',{' '\n\n' | sed -n "s/^\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1
}

# wait_for MEMBER VALUE PATH: asks until the member is the value, for a minute.
wait_for() {
  for _ in $(seq 120); do
    found=$(call GET "$3" | member "$1")
    [ "$found" = "$2" ] && return
    sleep 0.5
  done
  echo "$1 is '$found', not '$2'. Was the recording over? Start the server again, and this within 20 seconds." >&2
  exit 1
}

# It backs the first outcome of games of the league that are on, with a fiftieth of what is left of 1000 dollars on paper.
strategy=$(call POST /v1/strategies '{
  "name": "Home while it is cheap", "sport": "soccer",
  "rules": {
    "match": { "league": "epl", "market": "moneyline" },
    "outcome": { "index": 0 },
    "phase": "in_play",
    "filter": { "min_odds": 1.7, "max_odds": 3.0, "side": "BACK" },
    "sizing": { "method": "fixed_fraction", "value": 0.02 }
  },
  "bankroll_cap": 1000, "stake_cap": 50, "automation": "auto"
}')
sid=$(echo "$strategy" | member id)
echo "strategy   $sid watches"

wait_for verdict bet "/v1/strategies/$sid/decisions?verdict=bet"
bet=$(call GET "/v1/strategies/$sid/decisions?verdict=bet")
echo "bet        $(echo "$bet" | member outcome_label): $(echo "$bet" | member cost_usdc) dollars at odds of $(echo "$bet" | member odds)"
oid=$(echo "$bet" | member order_id)

wait_for status settled "/v1/exchange/orders/$oid"
echo "result     $(call GET "/v1/exchange/orders/$oid" | member return_usdc) dollars back"
echo "profit     $(call GET "/v1/portfolio?strategy_id=$sid" | member profit_usdc) dollars"
