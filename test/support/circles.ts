import { dirname } from 'node:path';
import { importsOf, type Source } from './sources.js';

/** Groups of files that import one another, types included; each in the order of its paths. */
export function fileCircles(sources: readonly Source[]): string[][] {
  return circles(edgesOf(sources, (path) => path));
}

/** Groups of folders that each import, directly or not, all the rest of the group, types included. */
export function folderCircles(sources: readonly Source[]): string[][] {
  return circles(edgesOf(sources, dirname));
}

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

function edgesOf(sources: readonly Source[], nodeOf: (path: string) => string): Edges {
  const paths = new Set(sources.map(({ path }) => path));
  const edges = new Map<string, Set<string>>();
  for (const source of sources) {
    const from = nodeOf(source.path);
    const targets = importsOf(source).filter(({ target }) => paths.has(target));
    const to = targets.map(({ target }) => nodeOf(target)).filter((node) => node !== from);
    edges.set(from, new Set([...(edges.get(from) ?? []), ...to]));
  }
  return edges;
}

function circles(edges: Edges): string[][] {
  const reached = new Map([...edges.keys()].map((node) => [node, reachedFrom(node, edges)]));
  const groups = [...edges.keys()].map((node) => {
    const others = [...(reached.get(node) ?? [])].filter((other) => reached.get(other)?.has(node));
    return others.sort();
  });
  const named = new Map(groups.filter((group) => group.length > 0).map((group) => [group.join(), group]));
  return [...named.values()];
}

function reachedFrom(start: string, edges: Edges): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(edges.get(start) ?? [])];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    waiting.push(...(edges.get(node) ?? []));
  }
  return reached;
}
