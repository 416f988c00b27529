import type { Command } from 'commander';
import { Command as Plain } from 'commander';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { print } from '../print.js';
import { ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { profilesPath, readProfiles, writeProfiles } from './client/profiles.js';
import { LOCAL_SERVER, type ServerAddress, serverAt } from './client/server-address.js';
import { type TableColumn, tableOf } from './output/table.js';
import type { Terminal } from './terminal.js';

interface NamedProfile {
  readonly name: string;
  readonly url: string;
  readonly hasKey: boolean;
  readonly isDefault: boolean;
}

const DEFAULT_NAME = 'default';
const NAME = /^[A-Za-z0-9_.-]{1,64}$/;

const COLUMNS: readonly TableColumn<NamedProfile>[] = [
  { title: 'profile', of: ({ name }) => name },
  { title: 'server', of: ({ url }) => url },
  { title: 'key', of: ({ hasKey }) => (hasKey ? 'stored' : 'none') },
  { title: 'default', of: ({ isDefault }) => (isDefault ? 'yes' : '') },
];

/** `stakeport login`, `stakeport logout` and `stakeport profiles`. */
export function loginCommands(terminal: Terminal): readonly Command[] {
  return [loginCommand(terminal), logoutCommand(), profilesCommand()];
}

function loginCommand(terminal: Terminal): Command {
  return new Plain('login')
    .description(
      'store the address of a server and a key for it, which is typed without being shown or comes from standard input, never from the command line',
    )
    .argument('[url]', 'the address of the server', LOCAL_SERVER)
    .option('--profile <name>', 'the name to store them under', DEFAULT_NAME)
    .option('--default', 'use this profile from now on where none is named')
    .addHelpText('after', '\nFor example:\n  stakeport login https://trade.example.org --profile home < key.txt')
    .action(async (url: string, { profile, default: first }: { profile: string; default?: boolean }) => {
      if (!NAME.test(profile))
        throw new CommandFailed('The name of a profile has 1 to 64 letters, digits and _ . -', EXIT.usage);
      // Before anybody types a key: an address or a file that cannot be used is better known now.
      serverAt(url, '', 'the address');
      const known = readProfiles();
      const key = (await terminal.askHidden(`The key for ${url} (empty for none): `)).trim();
      const address = serverAt(url, key, 'the address');
      await requireAccepted(address);
      const profiles = { ...known?.profiles, [profile]: { url: address.url.href, key: address.key } };
      const current = known === undefined || first === true ? profile : known.default;
      writeProfiles({ default: current, profiles });
      print(`Stored profile ${profile} in ${profilesPath()}.`);
    });
}

function logoutCommand(): Command {
  return new Plain('logout')
    .description('forget a profile and its key; the key stays valid until it is revoked (stakeport keys revoke)')
    .option('--profile <name>', 'the profile', DEFAULT_NAME)
    .addHelpText('after', '\nFor example:\n  stakeport logout --profile home')
    .action(({ profile: name }: { profile: string }) => {
      const known = readProfiles();
      if (known === undefined || !Object.hasOwn(known.profiles, name))
        throw new CommandFailed(`There is no profile ${name}: see stakeport profiles.`, EXIT.no);
      const { [name]: _, ...profiles } = known.profiles;
      const current = known.default === name ? (Object.keys(profiles)[0] ?? DEFAULT_NAME) : known.default;
      writeProfiles({ default: current, profiles });
      print(`Forgot profile ${name}.`);
    });
}

function profilesCommand(): Command {
  return new Plain('profiles')
    .description('list the profiles, without their keys')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nFor example:\n  stakeport profiles')
    .action(({ json }: { json?: boolean }) => {
      const known = readProfiles();
      const rows = Object.entries(known?.profiles ?? {}).map(([name, { url, key }]) => ({
        name,
        url,
        hasKey: key !== null,
        isDefault: name === known?.default,
      }));
      const documents = rows.map(({ name, url, hasKey, isDefault }) => ({
        name,
        url,
        has_key: hasKey,
        is_default: isDefault,
      }));
      print(json === true ? JSON.stringify(documents) : tableOf(COLUMNS, rows, 'No profiles: see stakeport login.'));
    });
}

/** A key may lack the scope of what is read here, and be right all the same. @throws CommandFailed where it is refused */
async function requireAccepted(address: ServerAddress): Promise<void> {
  const api = new ApiClient(address);
  try {
    await api.request({ path: '/v1/trading/state' });
  } catch (error) {
    if (error instanceof ApiFailure && error.problem?.status === 403) return;
    if (error instanceof ApiFailure && error.problem?.status === 401) {
      const words = `${address.url.origin} does not take ${address.key === null ? 'requests without a key' : 'this key'}.`;
      throw new CommandFailed(`${words} Nothing was stored.`, EXIT.config);
    }
    throw error;
  } finally {
    await api.close();
  }
}
