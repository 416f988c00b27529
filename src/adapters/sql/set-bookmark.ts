import { stamp } from './cells.js';
import type { Store } from './store.js';

/** As `Bookmarks.setBookmark`. */
export async function setBookmark({ writer }: Pick<Store, 'writer'>, name: string, at: Date): Promise<void> {
  await writer('bookmarks')
    .insert({ name, at: stamp(at) })
    .onConflict('name')
    .merge();
}
