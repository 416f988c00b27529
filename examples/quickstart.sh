#!/bin/sh
# Creates a strategy and an order on a running server without market data, and reads them back:
#   npm start &                  then   sh examples/quickstart.sh
#   BASE=http://127.0.0.1:9000 KEY=sp_… sh examples/quickstart.sh
set -eu

BASE=${BASE:-http://127.0.0.1:8080}
KEY=${KEY:-}

# call METHOD PATH [BODY] [HEADER]: prints the response, and ends the script if it is an error.
call() {
  echo "> $1 $2" >&2
  curl --silent --show-error --fail-with-body --request "$1" "$BASE$2" \
    --header "Authorization: Bearer $KEY" --header "${4:-Accept: application/json}" \
    ${3:+--header "Content-Type: application/json" --data "$3"}
  echo
}

# member NAME: prints that string member of the JSON on standard input.
member() {
  sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"
}

strategy=$(call POST /v1/strategies '{
  "name": "Home favourites", "sport": "soccer",
  "rules": {
    "match": { "market": "moneyline", "league": "epl" },
    "filter": { "min_odds": 1.5, "max_odds": 3.0, "side": "BACK" },
    "sizing": { "method": "fixed_fraction", "value": 0.02 }
  },
  "bankroll_cap": 1000, "stake_cap": 50
}')
echo "$strategy"
sid=$(echo "$strategy" | sed 's/^{"id":"\([^"]*\)".*/\1/')

call PATCH "/v1/strategies/$sid" '{ "stake_cap": 25 }'

order=$(call POST /v1/exchange/orders "{
  \"market_id\": \"epl-ars-che-2026-12-05\", \"token\": \"YES\", \"price\": 0.57, \"size_usdc\": 20, \"strategy_id\": \"$sid\"
}" "Idempotency-Key: quickstart-$sid")
echo "$order"
id=$(echo "$order" | sed 's/^{"id":"\([^"]*\)".*/\1/')

call GET "/v1/exchange/orders/$id"
call GET "/v1/exchange/orders/$id/events"
status=$(echo "$order" | member status)
[ "$status" = filled ] || { echo "the order is $status, not filled" >&2; exit 1; }
