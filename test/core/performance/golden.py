"""Makes the golden files of test/fixtures/measures, with numpy and scipy: python3 golden.py. It is not run by the tests.

Made with Python 3, numpy 2.4.6, scipy 1.17.1. Amounts in `cases.json` are micro-units; times are seconds.
"""
import json
import math
from pathlib import Path

import numpy as np
from scipy import stats

HERE = Path(__file__).parents[2] / "fixtures" / "measures"
RNG = np.random.default_rng(20261126)
DAY = 86_400


def random_bet(i, start):
    price = int(RNG.integers(50, 950)) * 1000
    stake = int(RNG.integers(1, 200)) * 1_000_000
    shares = stake * 1_000_000 // price
    fees = int(shares * 0.02 * price / 1e6 * (1 - price / 1e6))
    result = str(RNG.choice(["won", "lost", "void", "split", "closed_early", "open"], p=[0.4, 0.42, 0.03, 0.03, 0.07, 0.05]))
    return bet_with(i, start, price, stake, shares, fees, result)


def bet_with(i, start, price, stake, shares, fees, result):
    payout = {"won": 1_000_000, "lost": 0, "void": 500_000, "split": 500_000}.get(result)
    sold = int(stake * RNG.uniform(0.6, 1.5)) if result == "closed_early" else 0
    worth = int(stake * RNG.uniform(0.6, 1.5)) if result == "open" else 0
    paid = shares * payout // 1_000_000 if payout is not None else 0
    mid = price - int(RNG.integers(0, 20)) * 500
    best = price - int(RNG.integers(0, 10)) * 500
    arrival = best + int(RNG.integers(-10, 20)) * 500
    has_close = RNG.random() < 0.8
    close = int(np.clip(price + int(RNG.integers(-60, 70)) * 1000, 1000, 999_000))
    fair_d = int(RNG.integers(950_000, 1_060_000))
    return {
        "id": f"bet-{i:04d}", "event": f"event-{int(RNG.integers(0, 60))}", "settled": start + int(RNG.integers(1, 40 * DAY)),
        "stake": stake, "shares": shares, "fees": fees, "result": result, "sold": sold,
        "profit": paid + sold + worth - stake - fees,
        "decision": None if RNG.random() < 0.1 else {"best": best, "mid": mid},
        "arrival": None if RNG.random() < 0.1 else {"best": arrival},
        "probability": int(np.clip(price + int(RNG.integers(-80, 120)) * 1000, 1000, 999_000)) if RNG.random() < 0.7 else None,
        "close": {"price": close, "fair": [close, fair_d]} if has_close else None,
        "equity": None if RNG.random() < 0.05 else int(RNG.integers(900, 1600)) * 1_000_000,
    }


def random_marks(start, days, per_day, deposits):
    marks, equity, at = [], 1_000_000_000, start
    for day in range(days):
        for _ in range(int(RNG.integers(0, per_day + 1))):
            at = max(at + 1, start + day * DAY + int(RNG.integers(0, DAY)))
            deposited = int(RNG.integers(-100, 300)) * 1_000_000 if deposits and RNG.random() < 0.05 else 0
            equity = int(equity * (1 + RNG.normal(0.001, 0.02))) + deposited
            marks.append({"at": at, "equity": equity, "risk": int(equity * RNG.uniform(0, 0.6)), "deposited": deposited})
    return [{"at": start, "equity": 1_000_000_000, "risk": 0, "deposited": 0}] + marks


def case(bets, days, deposits=False, held=False):
    start = 1_767_225_600 + int(RNG.integers(0, DAY))
    rows = [random_bet(i, start) for i in range(bets)]
    if held:
        rows = [row for row in rows if row["result"] in ("won", "lost", "void")]
    return {"bets": rows, "marks": random_marks(start, days, 4, deposits), "capital": 1_000_000_000}


def settled(c):
    return [b for b in c["bets"] if b["result"] != "open"]


def decided(c):
    return [b for b in c["bets"] if b["result"] in ("won", "lost")]


def column(rows, name):
    return np.array([row[name] for row in rows], dtype=float)


def wilson(successes, n):
    z = stats.norm.ppf(0.975)
    p = successes / n
    spread = 1 + z * z / n
    half = z / spread * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    centre = (p + z * z / (2 * n)) / spread
    return [max(0.0, centre - half), min(1.0, centre + half)]


def events(c):
    sums = {}
    for b in settled(c):
        stake, profit = sums.get(b["event"], (0, 0))
        sums[b["event"]] = (stake + b["stake"], profit + b["profit"])
    return np.array([s for s, _ in sums.values()], float), np.array([p for _, p in sums.values()], float)


def yield_of(c):
    stake, profit = events(c)
    n = len(stake)
    draws = RNG.integers(0, n, size=(200, n))
    ratios = profit[draws].sum(axis=1) / stake[draws].sum(axis=1)
    y = profit.sum() / stake.sum()
    residual = profit - y * stake
    half = stats.norm.ppf(0.975) * math.sqrt(n / (n - 1) * (residual**2).sum()) / stake.sum()
    return {"value": y, "n": n, "draws": draws.tolist(), "interval": np.percentile(np.tile(ratios, 50), [2.5, 97.5]).tolist(), "normal": [y - half, y + half]}


def yield_z(c):
    if any(b["result"] == "closed_early" for b in c["bets"]):
        return {"value": None, "reason": "sold_early", "n": len(settled(c))}
    rows = decided(c)
    k = column(rows, "stake") + column(rows, "fees")
    d = column(rows, "shares") / k
    return {"value": column(rows, "profit").sum() / math.sqrt((k**2 * (d - 1)).sum()), "n": len(rows)}


def hit_rate(c):
    rows = decided(c)
    won = sum(b["result"] == "won" for b in rows)
    tool = stats.binomtest(won, len(rows)).proportion_ci(method="wilson")
    assert np.allclose([tool.low, tool.high], wilson(won, len(rows)), rtol=1e-12)
    return {"value": won / len(rows), "n": len(rows), "interval": [tool.low, tool.high]}


def break_even(c):
    rows = decided(c)
    return {"value": float(np.mean((column(rows, "stake") + column(rows, "fees")) / column(rows, "shares"))), "n": len(rows)}


def profit_factor(c):
    profit = column(settled(c), "profit")
    return {"value": profit[profit > 0].sum() / -profit[profit < 0].sum(), "n": len(profit)}


def losing_run(c):
    rows = sorted(decided(c), key=lambda b: (b["settled"], b["id"]))
    text = "".join("l" if b["result"] == "lost" else "w" for b in rows)
    return {"value": max(len(run) for run in text.split("w")), "n": len(rows)}


def losing_run_expected(c):
    rows = decided(c)
    loss = np.mean([b["result"] == "lost" for b in rows])
    return {"value": float(np.log(len(rows) * (1 - loss)) / np.log(1 / loss)), "n": len(rows)}


def deepest(c):
    """Equity without deposits is followed as a peak that each deposit moves; episodes end where the peak is reached again."""
    best, peak, peak_at, low = None, None, None, None
    for mark in c["marks"]:
        equity, at = mark["equity"], mark["at"]
        peak = equity if peak is None else peak + mark["deposited"]
        if peak_at is None or equity >= peak:
            if low is not None:
                low["seconds"] = at - peak_at
            peak, peak_at, low = equity, at, None
            continue
        depth = 1 - equity / peak
        if low is None:
            low = {"depth": depth, "lost": peak - equity, "seconds": c["marks"][-1]["at"] - peak_at}
            episode = low
        elif depth > low["depth"]:
            low.update(depth=depth, lost=peak - equity)
        if best is None or low["depth"] > best["depth"]:
            best = episode
    return best


def closed(c):
    return [b for b in settled(c) if b["close"] is not None]


def clv(c, of):
    rows = closed(c)
    return {"value": float(np.average([of(b) for b in rows], weights=column(rows, "stake"))), "n": len(rows)}


def beat_rate(c):
    rows = closed(c)
    won = sum(1 if b["close"]["price"] * b["shares"] > b["stake"] * 1_000_000 else 0.5 if b["close"]["price"] * b["shares"] == b["stake"] * 1_000_000 else 0 for b in rows)
    return {"value": won / len(rows), "n": len(rows), "interval": wilson(won, len(rows))}


def forecasts(c):
    rows = [b for b in decided(c) if b["probability"] is not None]
    return column(rows, "probability") / 1e6, np.array([b["result"] == "won" for b in rows], float), rows


def brier(c):
    f, o, rows = forecasts(c)
    bins = np.minimum(9, (column(rows, "probability").astype(int) * 10) // 1_000_000)
    n, base = len(f), o.mean()
    terms = {"reliability": 0.0, "resolution": 0.0, "uncertainty": base * (1 - base), "within_variance": 0.0, "within_covariance": 0.0}
    for k in np.unique(bins):
        fk, ok = f[bins == k], o[bins == k]
        terms["reliability"] += len(fk) * (fk.mean() - ok.mean()) ** 2 / n
        terms["resolution"] += len(fk) * (ok.mean() - base) ** 2 / n
        terms["within_variance"] += ((fk - fk.mean()) ** 2).sum() / n
        terms["within_covariance"] += 2 * ((ok - ok.mean()) * (fk - fk.mean())).sum() / n
    score = float(((f - o) ** 2).mean())
    five = terms["reliability"] - terms["resolution"] + terms["uncertainty"] + terms["within_variance"] - terms["within_covariance"]
    assert math.isclose(score, five, rel_tol=1e-12)
    return {"brier": score, **{f"brier_{name}": float(value) for name, value in terms.items()}}, n


def brier_market(c):
    rows = [b for b in decided(c) if b["probability"] is not None and b["decision"] is not None]
    f = np.array([b["decision"]["mid"] for b in rows]) / 1e6
    o = np.array([b["result"] == "won" for b in rows], float)
    return {"value": float(((f - o) ** 2).mean()), "n": len(rows)}


def log_loss(c):
    f, o, _ = forecasts(c)
    f = np.clip(f, 1e-6, 1 - 1e-6)
    return {"value": float(-np.mean(stats.bernoulli.logpmf(o, f))), "n": len(f)}


def slippage(c, of):
    rows = [b for b in settled(c) if b["decision"] is not None and b["arrival"] is not None]
    return {"value": float(np.average([of(b) for b in rows], weights=column(rows, "shares")) / 1e6), "n": len(rows)}


def daily(c):
    marks = c["marks"]
    days = np.arange(marks[0]["at"] // DAY, marks[-1]["at"] // DAY + 1)
    before, returns = marks[0]["equity"], []
    for day in days:
        today = [m for m in marks[1:] if m["at"] // DAY == day]
        end = today[-1]["equity"] if today else before
        returns.append((end - sum(m["deposited"] for m in today)) / before - 1)
        before = end
    return np.array(returns)


def sharpe(c):
    r = daily(c)
    return {"value": None, "reason": "short_span", "n": len(r)} if len(r) < 30 else {"value": float(r.mean() / r.std(ddof=1) * math.sqrt(365)), "n": len(r)}


def sortino(c):
    r = daily(c)
    return {"value": None, "reason": "short_span", "n": len(r)} if len(r) < 30 else {"value": float(r.mean() / math.sqrt((np.minimum(r, 0) ** 2).mean()) * math.sqrt(365)), "n": len(r)}


def growth(c):
    marks, n = c["marks"], len(settled(c))
    last = marks[-1]["equity"] - sum(m["deposited"] for m in marks[1:])
    return {"value": float(np.log(last / marks[0]["equity"]) / n), "n": n}


def growth_expected(c):
    _, _, rows = forecasts(c)
    rows = [b for b in rows if b["equity"] is not None]
    p, part = column(rows, "probability") / 1e6, column(rows, "stake") / column(rows, "equity")
    d = column(rows, "shares") / (column(rows, "stake") + column(rows, "fees"))
    return {"value": float(np.mean(p * np.log1p(part * (d - 1)) + (1 - p) * np.log1p(-part))), "n": len(rows)}


def measures(c):
    terms, forecast_count = brier(c)
    fall = deepest(c)
    marks = {"n": len(c["marks"])}
    return {
        "profit_usdc": {"value": sum(b["profit"] for b in c["bets"]) / 1e6, "n": len(c["bets"])},
        "turnover_usdc": {"value": sum(b["stake"] for b in settled(c)) / 1e6, "n": len(settled(c))},
        "yield": yield_of(c),
        "yield_z": yield_z(c),
        "return_on_capital": {"value": sum(b["profit"] for b in settled(c)) / c["capital"], "n": len(settled(c))},
        "hit_rate": hit_rate(c),
        "break_even_rate": break_even(c),
        "expectancy_usdc": {"value": float(column(settled(c), "profit").mean() / 1e6), "n": len(settled(c))},
        "profit_factor": profit_factor(c),
        "longest_losing_run": losing_run(c),
        "longest_losing_run_expected": losing_run_expected(c),
        "max_drawdown": {"value": fall["depth"], **marks},
        "max_drawdown_usdc": {"value": fall["lost"] / 1e6, **marks},
        "max_drawdown_seconds": {"value": fall["seconds"], **marks},
        "clv_points": clv(c, lambda b: b["close"]["price"] / 1e6 - b["stake"] / b["shares"]),
        "clv_net": clv(c, lambda b: b["close"]["fair"][0] / b["close"]["fair"][1] * b["shares"] / (b["stake"] + b["fees"]) - 1),
        "clv_beat_rate": beat_rate(c),
        **{name: {"value": value, "n": forecast_count} for name, value in terms.items()},
        "brier_market": brier_market(c),
        "log_loss": log_loss(c),
        "fees_usdc": {"value": sum(b["fees"] for b in settled(c)) / 1e6, "n": len(settled(c))},
        "slippage_spread": slippage(c, lambda b: b["decision"]["best"] - b["decision"]["mid"]),
        "slippage_delay": slippage(c, lambda b: b["arrival"]["best"] - b["decision"]["best"]),
        "slippage_depth": slippage(c, lambda b: b["stake"] / b["shares"] * 1e6 - b["arrival"]["best"]),
        "exposure_max": {"value": max(m["risk"] / m["equity"] for m in c["marks"]), **marks},
        "sharpe_daily": sharpe(c),
        "sortino_daily": sortino(c),
        "kelly_growth": growth(c),
        "kelly_growth_expected": growth_expected(c),
    }


def xoshiro(words, count):
    """xoshiro128**, by its authors' description."""
    s, out, mask = list(words), [], 0xFFFFFFFF
    rotl = lambda x, k: ((x << k) | (x >> (32 - k))) & mask
    for _ in range(count):
        out.append(rotl(s[1] * 5 & mask, 7) * 9 & mask)
        t = s[1] << 9 & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 11)
    return out


def sidak(z, trials):
    return float(-np.expm1(trials * np.log1p(-stats.norm.sf(z))))


def deflated(returns, variance, trials):
    """The deflated Sharpe ratio of returns that were the best of so many trials, and the ratio that chance gives the best."""
    n, gamma = len(returns), np.euler_gamma
    chance = math.sqrt(variance) * ((1 - gamma) * stats.norm.isf(1 / trials) + gamma * stats.norm.isf(1 / (trials * math.e))) if trials > 1 else 0.0
    ratio = returns.mean() / returns.std(ddof=1)
    kurtosis = stats.kurtosis(returns, fisher=False)
    error = math.sqrt((1 - stats.skew(returns) * ratio + (kurtosis - 1) / 4 * ratio**2) / (n - 1))
    return {"chance": float(chance), "value": float(stats.norm.cdf((ratio - chance) / error))}


def trials():
    """Draws of their own, so that the files from before stay as they are."""
    own = np.random.default_rng(20261127)
    zs = [-9.0, -3.0, -1.0, -0.1, 0.0, 0.3, 1.0, 1.96, 2.49, 2.5, 2.51, 3.0, 4.5, 7.0, 12.0, 30.0]
    parts = [1e-300, 1e-15, 1e-6, 0.001, 0.025, 0.2, 0.5, 0.8, 0.999]
    counts = [1, 2, 20, 200, 100_000]
    best = [{"z": z, "trials": n, "chance": sidak(z, n)} for z in (-1.0, 0.5, 2.0, 3.5, 6.0) for n in counts]
    bounds = [{"probability": p, "trials": n, "z": float(stats.norm.isf(-np.expm1(np.log1p(-p) / n)))} for p in (0.05, 0.5) for n in counts]
    sharpe = []
    for n, count, variance in ((40, 1, 0.01), (250, 20, 0.004), (1000, 200, 0.002)):
        returns = own.standard_t(5, size=n) * 0.01 + 0.001
        sharpe.append({"returns": returns.tolist(), "trials": count, "variance": variance, **deflated(returns, variance, count)})
    return {
        "tails": [{"z": z, "tail": float(stats.norm.sf(z))} for z in zs],
        "quantiles": [{"tail": p, "z": float(stats.norm.isf(p))} for p in parts],
        "best": best,
        "bounds": bounds,
        "sharpe": sharpe,
    }


def main():
    HERE.mkdir(exist_ok=True)
    cases = [case(120, 45), case(80, 60, deposits=True), case(60, 12, held=True)]
    expected = [measures(c) for c in cases]
    write = lambda name, value: (HERE / f"{name}.json").write_text(json.dumps(value, separators=(",", ":")) + "\n")
    write("cases", cases)
    words = [0x01234567, 0x89ABCDEF, 0xFEDCBA98, 0x76543210]
    write("trials", trials())
    write("xoshiro", [x * 1000 >> 32 for x in xoshiro(words, 1000)])
    for name in expected[0]:
        write(name, [e[name] for e in expected])


main()
