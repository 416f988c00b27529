import { isTrustworthyUrl } from '../../../adapters/transport/loopback.js';
import { CommandFailed, EXIT } from '../../../server/failures/exit.js';
import { profilesPath, readProfiles } from './profiles.js';

/** The server that a command talks to. */
export interface ServerAddress {
  readonly url: URL;
  /** Null for a server that wants none. */
  readonly key: string | null;
  /** What named it, for messages. */
  readonly from: string;
  /** The profile that names it; null where none does. */
  readonly profile: string | null;
}

/** The address at which `npm start` listens. */
export const LOCAL_SERVER = 'http://127.0.0.1:8080';

/** Names a server that a variable of the environment names. */
export const ENVIRONMENT = 'STAKEPORT_URL';

const KEY = /^[\x21-\x7e]{1,4096}$/;

/**
 * The server of `--profile`, else of STAKEPORT_URL, else of the default profile, else the one on this machine. A key is
 * only ever sent to the address that was named together with it.
 * @throws CommandFailed
 */
export function serverAddress(profile: string | undefined): ServerAddress {
  const { STAKEPORT_URL: url = '', STAKEPORT_KEY: key = '' } = process.env;
  if (profile !== undefined) return ofProfile(profile);
  if (url.trim() !== '') return serverAt(url, key, ENVIRONMENT);
  if (key.trim() !== '')
    throw new CommandFailed('STAKEPORT_KEY is set without STAKEPORT_URL. Say which server it is for.', EXIT.config);
  const known = readProfiles();
  if (known === undefined || Object.keys(known.profiles).length === 0)
    return serverAt(LOCAL_SERVER, '', 'the default address');
  return ofProfile(known.default);
}

/** An address as a person gives it. @throws CommandFailed where it is none, or a key would travel in the open */
export function serverAt(url: string, key: string, from: string, profile: string | null = null): ServerAddress {
  const [address, secret] = [url.trim(), key.trim()];
  const read = URL.canParse(address) ? new URL(address) : undefined;
  if (read === undefined || !/^https?:$/.test(read.protocol) || read.username !== '' || read.search !== '')
    throw new CommandFailed(
      `${capitalised(from)} must be the address of a server, such as ${LOCAL_SERVER}.`,
      EXIT.config,
    );
  if (secret === '') return { url: read, key: null, from, profile };
  if (!KEY.test(secret)) throw new CommandFailed(`The key of ${from} has characters that no key has.`, EXIT.config);
  if (isTrustworthyUrl(read)) return { url: read, key: secret, from, profile };
  const words = `The key of ${from} would be sent to ${read.host} unencrypted. Use https, or http to this machine.`;
  throw new CommandFailed(words, EXIT.config);
}

function ofProfile(name: string): ServerAddress {
  const known = readProfiles()?.profiles ?? {};
  const found = Object.hasOwn(known, name) ? known[name] : undefined;
  if (found !== undefined) return serverAt(found.url, found.key ?? '', `profile ${name}`, name);
  const names = Object.keys(known).join(', ') || 'none';
  const words = `${profilesPath()} has no profile ${name} (it has ${names}). Run: stakeport login --profile ${name}`;
  throw new CommandFailed(words, EXIT.config);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
