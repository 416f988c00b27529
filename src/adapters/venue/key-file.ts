import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const MODE_BITS = 0o7777;
const OWNER_READS = 0o400;

/** Makes the error of a key file that is refused, from a sentence that says what to do. */
type Refused = (message: string) => Error;

/**
 * Opens a file with a key: a plain one with mode 0400 that belongs to the user of this process. A pipe is not waited for, and a
 * link is not followed.
 * @throws what `refused` makes when it is not, or cannot be read
 */
export async function openKeyFile(path: string, refused: Refused): Promise<FileHandle> {
  const file = await opened(path, refused);
  try {
    await checkFile(path, file, refused);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function opened(path: string, refused: Refused): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ELOOP') throw refused(`The key file ${path} is a symbolic link; name the file itself.`);
    const why = code === 'ENOENT' ? ': there is no such file' : ` (${code})`;
    throw refused(`The key file ${path} cannot be read${why}.`);
  }
}

async function checkFile(path: string, file: FileHandle, refused: Refused): Promise<void> {
  const found = await file.stat();
  if (!found.isFile()) throw refused(`The key file ${path} is not a plain file.`);
  if (found.uid !== process.getuid?.()) {
    throw refused(`The key file ${path} belongs to another user: chown it to the user that runs this.`);
  }
  if ((found.mode & MODE_BITS) !== OWNER_READS) {
    const mode = (found.mode & MODE_BITS).toString(8).padStart(4, '0');
    throw refused(
      `The key file ${path} has mode ${mode}, and must have 0400, so that only its owner can read it and no one can write it: chmod 0400 ${path}`,
    );
  }
}
