import { importsOf, type Source } from './sources.js';

/** Every circle of files that import each other, types included, each as its files from the first by name. */
export function importCircles(sources: readonly Source[]): string[] {
  const edges = new Map(sources.map((source) => [source.path, importsOf(source).map(({ target }) => target)]));
  const circles = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) circles.add(fromFirst(trail.slice(start)).join(' → '));
    if (start !== -1 || done.has(path)) return;
    for (const target of edges.get(path) ?? []) if (edges.has(target)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return [...circles].sort();
}

function fromFirst(circle: readonly string[]): string[] {
  const first = circle.indexOf([...circle].sort()[0] ?? '');
  return [...circle.slice(first), ...circle.slice(0, first)];
}
