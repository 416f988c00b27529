/** A page of the guide. */
export interface GuidePage {
  /** Its last part of the path `/docs/guide/{name}`; empty for the first page. */
  readonly name: string;
  readonly title: string;
  /** The Markdown that it is made of, relative to the folder of the package. */
  readonly file: string;
}

/** Pages for one purpose, under one heading. */
export interface GuideSection {
  readonly heading: string;
  readonly pages: readonly GuidePage[];
}

const page = (title: string, name: string): GuidePage => ({ name, title, file: `docs/${name}.md` });

/** Every page of the guide, in the order in which the navigation shows them. */
export const GUIDE: readonly GuideSection[] = [
  {
    heading: 'Begin',
    pages: [{ name: '', title: 'Begin here', file: 'README.md' }, page('Paper trading', 'paper')],
  },
  {
    heading: 'Trade',
    pages: [
      page('Trade over HTTP', 'api'),
      page('Strategies', 'strategies'),
      page('Backtests', 'backtesting'),
      page('Sweeps', 'sweeps'),
      page('Historical data', 'data'),
      page('Limits and halts', 'limits'),
      page('Refused orders', 'refusals'),
      page('Dashboard and command line', 'cli'),
      page('Events, webhooks and messages', 'events'),
    ],
  },
  {
    heading: 'Operate',
    pages: [
      page('Run a server', 'operating'),
      page('Alarms', 'alarms'),
      page('Real money', 'live'),
      page('Speed and scale', 'performance'),
    ],
  },
  {
    heading: 'Build',
    pages: [
      page('The library', 'library'),
      page('Add a venue', 'venues'),
      page('Architecture', 'architecture'),
      page('Decisions', 'decisions'),
      page('Change the code', 'contributing'),
      { name: 'changelog', title: 'Changes', file: 'CHANGELOG.md' },
    ],
  },
];

/** The path at which a page is. */
export const guidePath = (name: string): string => (name === '' ? '/docs/guide' : `/docs/guide/${name}`);

const ALL = GUIDE.flatMap(({ pages }) => pages);

/** Undefined where the guide has no such page. */
export const guidePageNamed = (name: string): GuidePage | undefined => ALL.find((known) => known.name === name);

/** Undefined where no page is made of the file. */
export const guidePageOf = (file: string): GuidePage | undefined => ALL.find((known) => known.file === file);
