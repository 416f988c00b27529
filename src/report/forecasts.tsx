import type { BacktestResult, StrategyForecasts } from '../backtest/result.js';
import { CalibrationFigure } from './bet-figures.js';
import { WideTable } from './plots.js';
import { fixed } from './words.js';

const MOST_ROWS = 200;

/** Why a run shows no money, in one sentence. */
export function noMoneyText({ run }: BacktestResult): string {
  const classes = [...new Set(run.tapes.map(({ evidence }) => evidence))].sort().join(', ');
  return `Nothing can be filled on what these tapes hold (${classes}): this run shows how prices and signals forecast, and no profit or loss.`;
}

/** What a run shows where nothing can be filled: forecasts, and how often strategies would have bet. */
export function Forecasts({ result }: { readonly result: BacktestResult }) {
  const { forecasts = [], warnings } = result;
  const [all] = forecasts;
  return (
    <section class="weak">
      <h2>What it can show</h2>
      <p class="verdict">{noMoneyText(result)}</p>
      <ul>
        <li>Whether an order could have bought at these prices, and how much, is not known.</li>
        {warnings.map(({ detail }) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
      <h2>Strategies</h2>
      <WideTable
        name="Strategies"
        table={{
          columns: ['Strategy', 'Would have bet', 'Brier score of the market', 'Brier score of its signals'],
          rows: forecasts
            .slice(0, MOST_ROWS)
            .map(({ strategy, would_bet, brier_market, brier_signals }) => [
              strategy ?? 'All together',
              fixed(would_bet, 0),
              scoreText(brier_market),
              scoreText(brier_signals),
            ]),
        }}
      />
      {all === undefined ? null : <ForecastPlot {...all} />}
    </section>
  );
}

const scoreText = (score: string | null): string => (score === null ? '–' : fixed(Number(score), 4));

function ForecastPlot({ calibration }: StrategyForecasts) {
  if (calibration.every(({ n }) => n === 0)) return <p>No market has a result and a price or a signal before it.</p>;
  return (
    <>
      <h3>Calibration</h3>
      <CalibrationFigure bins={calibration} shown={['market', 'signals']} />
    </>
  );
}
