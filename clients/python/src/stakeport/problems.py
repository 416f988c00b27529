# Made from the OpenAPI document by `npm run python:generate`. Changes here are lost.
"""What to do about each problem, by its code."""

from __future__ import annotations

from collections.abc import Mapping

WHAT_TO_DO: Mapping[str, str] = {
    "bad-request": (
        "The request is not valid HTTP for this service, for example because a header that may appear once appears twice. "
        "Correct the request."
    ),
    "malformed-json": (
        "The body is not one JSON document in UTF-8, or an object in it repeats a member. Correct the body; `detail` says where "
        "it is wrong."
    ),
    "idempotency-key-invalid": (
        "An Idempotency-Key is 1 to 255 printable ASCII characters without commas, or a quoted string. Send one such key, or "
        "none."
    ),
    "unauthenticated": (
        "The request carries no valid credentials. Send `Authorization: Bearer …` with a key or token that has neither expired "
        "nor been revoked."
    ),
    "insufficient-scope": (
        "The credentials are valid, but lack the scope that this operation needs. Ask their issuer for that scope."
    ),
    "live-trading-not-enabled": (
        "A live order needs the server, the account, the credentials and the strategy all to allow it. `detail` names the first "
        "that does not. Nothing was sent."
    ),
    "foreign-origin": (
        "A browser sent this request for a page of another origin. If the page is yours, name its exact origin in "
        "`CORS_ORIGINS` and restart the server. A session counts for pages of this server alone: programs, and pages of other "
        "origins, send a key in `Authorization`."
    ),
    "session-needs-key": (
        "A session begins with an API key in the `Authorization` header: neither an access token nor another session begins "
        "one."
    ),
    "ui-trading-off": (
        "A session may not do what risks real money, because the server runs without `UI_TRADING=on`. Halting, reducing and "
        "cancelling it may. Programs with a key are not concerned."
    ),
    "key-needed": (
        "What risks more than before, or changes a webhook, needs a session that began within the last five minutes. Begin one "
        "with `POST /v1/session` and the key, and repeat the request."
    ),
    "not-found": (
        "There is no such resource, or it is not yours."
    ),
    "market-not-found": (
        "The venue knows no market with this `market_id`. Nothing was recorded."
    ),
    "strategy-not-found": (
        "There is no strategy with this `strategy_id`, or it is not yours. Nothing was recorded."
    ),
    "method-not-allowed": (
        "The resource exists but not for this method. The `Allow` header lists those it has."
    ),
    "request-timeout": (
        "The request did not arrive in time. Send it again, faster."
    ),
    "idempotency-in-progress": (
        "The first request with this Idempotency-Key has not finished. Repeat the request after `Retry-After` seconds."
    ),
    "order-not-cancellable": (
        "The order has nothing left to cancel, or is still in flight to the venue. Read the order to see which."
    ),
    "approval-not-waiting": (
        "The bet waits for nobody any more: somebody else decided, it expired, or it was refused at the prices of then. "
        "`detail` says which. Nothing was changed."
    ),
    "account-busy": (
        "The paper account has an order that could not be cancelled yet, such as one that the venue holds for the delay of its "
        "market. Some orders may have been cancelled by now, but no money was touched. Repeat the reset after `Retry-After` "
        "seconds. Or: it traded so fast that its first limits could not be set; nothing was changed then."
    ),
    "too-many-signals": (
        "The account has as many signals as it may; `detail` says how many. Nothing was stored. Delete some, or let some "
        "expire."
    ),
    "too-many-versions": (
        "The strategy has as many versions as one may have, and none is ever deleted. It can still be paused and archived: "
        "create another one. Nothing was changed."
    ),
    "too-many-automated": (
        "The account has as many strategies with automation as it may (`AUTOMATED_PER_ACCOUNT`). Turn the automation of another "
        "one off, or archive it. Nothing was changed."
    ),
    "too-many-webhooks": (
        "The account has as many webhooks as it may; `detail` says how many."
    ),
    "webhook-not-verified": (
        "The receiver of the webhook has not taken a ping yet: call `POST /v1/webhooks/{id}/ping` once it is ready."
    ),
    "webhook-without-secret": (
        "Messages to people are not signed, so there is no secret to rotate. Another token of the messenger is set with `PATCH "
        "/v1/webhooks/{id}`."
    ),
    "events-gone": (
        "The events after `after` are not kept any more (`EVENTS_KEEP`), or the log never had that many. Read the orders and "
        "the portfolio anew, then go on after the `head` that `detail` names."
    ),
    "precondition-failed": (
        "The strategy has changed since the ETag in `If-Match`. Read it again and repeat the change with the new ETag."
    ),
    "payload-too-large": (
        "A body is at most 16 KiB, a list of signals 64 KiB."
    ),
    "uri-too-long": (
        "Shorten the path and query."
    ),
    "unsupported-media-type": (
        "Send the body as `Content-Type: application/json`, in UTF-8, without a content coding."
    ),
    "expectation-failed": (
        "The only supported expectation is `100-continue`."
    ),
    "misdirected-request": (
        "The request was sent to a name that this server does not have, or through a proxy to a server in dev mode. Call it by "
        "`localhost`, its address or a name in `ALLOWED_HOSTS`; behind a proxy, use an `AUTH_MODE` other than `dev`."
    ),
    "validation-failed": (
        "The body or query is well formed, but a value in it is not allowed. `errors` lists up to 20 of them, each with a JSON "
        "pointer."
    ),
    "idempotency-key-reused": (
        "This Idempotency-Key was used for a different request. Use a new key for a new request."
    ),
    "market-unusable": (
        "The venue has this market, but reports too little to trade on it safely; `detail` says why. Nothing was recorded."
    ),
    "headers-too-large": (
        "Send at most 100 headers and 16 KiB of them."
    ),
    "too-many-streams": (
        "The key, the account, or the server, has as many streams open as it may (`STREAMS_PER_KEY`, `STREAMS_PER_ACCOUNT`, "
        "`STREAMS_MAX`). Close one, or share one: a stream has all events of the account."
    ),
    "too-many-writes": (
        "The key changed more within a minute than it may (`WRITES_PER_MINUTE`). Repeat the request after `Retry-After` "
        "seconds. Orders, cancellations, halts and pauses are not counted. Nothing was changed."
    ),
    "too-many-lookups": (
        "As many reads of the venue wait for the account as may: of markets, books and searches that the server has to ask it "
        "for. Repeat the request after `Retry-After` seconds. Nothing was recorded."
    ),
    "too-many-markets": (
        "The streams of the account follow as many markets as they may; `detail` says how many. Ask for fewer, or close a "
        "stream, and repeat the request after `Retry-After` seconds."
    ),
    "too-many-sessions": (
        "The key began too many sessions within a minute. Use the one that you have, or begin one after `Retry-After` seconds."
    ),
    "internal-error": (
        "The service failed. An order that you were placing may have been recorded: repeat the request with the same "
        "Idempotency-Key to find out."
    ),
    "market-data-unavailable": (
        "The source of market data does not answer now. Repeat the request after `Retry-After` seconds. Nothing was recorded."
    ),
    "paper-elsewhere": (
        "Several servers share one database, and one of them matches all paper orders; this one does not, or is still taking "
        "over. Nothing was recorded. Repeat the request after `Retry-After` seconds, with the same Idempotency-Key, through "
        "your load balancer."
    ),
    "unavailable": (
        "The service cannot answer now. Repeat the request after `Retry-After` seconds, with the same Idempotency-Key."
    ),
}
