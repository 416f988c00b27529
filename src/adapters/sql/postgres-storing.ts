import { SERVICE } from '../../core/account/account.js';
import { ACCOUNTS } from './account-table.js';
import { postgresDialect } from './columns.js';
import { storingAll } from './snapshot-loader.js';

const STORING = storingAll(postgresDialect);

/** Values of every statement here: the accounts, and the version that they have from then on. */
const [IDS, VERSION] = ['$1::text[]', '$2'];
/** Values of guarded statements: the versions that the accounts have to have, the writer's name and the number of its group. */
const [GIVEN, WRITER, NUMBER] = ['$3::text[]', '$4', '$5::bigint'];

// In the order of ids, so that two processes that lock the same accounts never deadlock. What waited for its lock sees the
// version of then.
const COMPARED = `select accounts.id, accounts.version = given.version as is_same
  from unnest(${IDS}, ${GIVEN}) as given(id, version) join accounts on accounts.id = given.id`;
const LOCKED = `locked as materialized (${COMPARED} where accounts.id <> '${SERVICE}'
  order by accounts.id for no key update of accounts)`;
// What holds for every account: all groups would wait for one another if they locked it.
const UNLOCKED = `unlocked as materialized (${COMPARED} where accounts.id = '${SERVICE}')`;
const ALL = '(select id, is_same from locked union all select id, is_same from unlocked) as compared';
const HOLDS = `(select count(*) filter (where is_same) = cardinality(${IDS}) from ${ALL})`;
const OTHERS = `(select coalesce(json_agg(id), '[]') from ${ALL} where not is_same)::text`;

/** Only compares versions: whether all hold, and the accounts that have others. */
export const COMPARING = `with ${[LOCKED, UNLOCKED].join(', ').replaceAll(GIVEN, '$2::text[]')} select ${HOLDS}, ${OTHERS}`;

/** Marks a group as stored, or, as `false`, as one that never will be; nothing where it is marked already. */
const marking = (stored: boolean, condition: string): string =>
  `insert into group_marks (writer, number, stored) select ${WRITER}, ${NUMBER}, ${stored} ${condition}
    on conflict (writer) do update set number = excluded.number, stored = excluded.stored, at = excluded.at
    where group_marks.number < excluded.number returning 1`;

/** Makes sure that a group that was not stored until now never will be. */
export const ENDING = marking(false, '').replace(WRITER, '$1::text').replace(NUMBER, '$2::bigint');
/** Whether a group was stored, after `ENDING`. */
export const FINDING = 'select stored from group_marks where writer = $1 and number = $2::bigint';
/** Forgets writers that are long gone. */
export const FORGETTING = `delete from group_marks where at < now() - interval '7 days'`;

/** One statement that stores rows of these tables, for a transaction that has locked the accounts. */
export const storingLocked = remembering((tables) => `with ${parts(tables, 3, '').join(', ')} select 1`);

/**
 * The statement that stores a group as a transaction of its own, and nothing where an account has another version, or the group was ended.
 * Resolves as `COMPARING` does: Postgres runs its parts on one snapshot, but the lock and the mark are as of their moment.
 */
export const storingGuarded = remembering((tables) => {
  const marked = `marked as (${marking(true, `where ${HOLDS}`)})`;
  const stored = parts(tables, 6, 'exists (select from marked)');
  return `with ${[LOCKED, UNLOCKED, marked, ...stored].join(', ')} select exists (select from marked), ${OTHERS}`;
});

/** The rows of each table are a parameter, from this one on. Without `condition`, nothing is stored. */
function parts(tables: readonly string[], first: number, condition: string): string[] {
  const rowsOf = (index: number) => {
    const parameter = `$${first + index}`;
    return condition === '' ? parameter : `(select case when ${condition} then ${parameter}::text else '[]' end)`;
  };
  const stored = tables.map((table, index) => {
    // An account cannot be changed twice by one statement.
    const also = table === ACCOUNTS.name ? `, version = ${VERSION}` : '';
    return `${table}_stored as (${STORING.get(table)?.(rowsOf(index))}${also})`;
  });
  return [moving(tables.indexOf(ACCOUNTS.name), rowsOf, condition), ...stored];
}

function moving(accounts: number, rowsOf: (index: number) => string, condition: string): string {
  const ids = `select ${postgresDialect.member(0, 'text')} from ${postgresDialect.elements(rowsOf(accounts))}`;
  const others = accounts < 0 ? [] : [`id <> all (array(${ids}))`];
  // A guarded statement only compares what holds for every account.
  const where = [
    `id = any (${IDS})`,
    ...(condition === '' ? [] : [`id <> '${SERVICE}'`]),
    ...others,
    ...(condition === '' ? [] : [condition]),
  ];
  return `moved as (update accounts set version = ${VERSION} where ${where.join(' and ')})`;
}

/** Makes each statement once. */
function remembering(make: (tables: readonly string[]) => string): (tables: readonly string[]) => string {
  const made = new Map<string, string>();
  return (tables) => {
    const name = tables.join(' ');
    const sql = made.get(name) ?? make(tables);
    made.set(name, sql);
    return sql;
  };
}
