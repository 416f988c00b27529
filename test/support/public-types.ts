import ts from 'typescript';

/** The declarations of entries, read once for several questions. */
export const declared = (entries: readonly string[]): ts.Program =>
  ts.createProgram([...entries], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [] });

/** Types that users of the entries meet in signatures and cannot import, each as `Type, named by Declaration`. */
export function hiddenTypes(program: ts.Program, entries: readonly string[]): readonly string[] {
  const checker = program.getTypeChecker();
  const files = new Set(program.getSourceFiles().filter((file) => !/\/node_modules\//.test(file.fileName)));
  const exported = exportsOf(program, checker, entries);
  const reached = new Set(exported.keys());
  const hidden: string[] = [];
  for (const symbol of reached) {
    const named = namedBy(checker, symbol, exported.get(symbol) === 'value').filter((type) =>
      isDeclaredIn(files, type),
    );
    hidden.push(...named.filter((type) => !reached.has(type)).map(({ name }) => `${name}, named by ${symbol.name}`));
    for (const type of named) reached.add(type);
  }
  return [...new Set(hidden)];
}

/** What the entries export, and whether as a value somewhere or as a type alone. */
function exportsOf(program: ts.Program, checker: ts.TypeChecker, entries: readonly string[]) {
  const found = new Map<ts.Symbol, 'value' | 'type'>();
  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const isType = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) === true;
      const target = origin(checker, symbol);
      if (!isType || !found.has(target)) found.set(target, isType ? 'type' : 'value');
    }
  }
  return found;
}

const origin = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** The types that its declarations name; those of a constructor only where users can call it. */
function namedBy(checker: ts.TypeChecker, symbol: ts.Symbol, isConstructed: boolean): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node) && !isConstructed) return;
    const name = nameOf(node);
    const named = name && checker.getSymbolAtLocation(name);
    if (named !== undefined) found.push(origin(checker, named));
    ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found;
}

function nameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  return ts.isImportTypeNode(node) && !node.isTypeOf ? node.qualifier : undefined;
}

/** Whether it is a declaration of a module here, not a type parameter or a type of the language. */
function isDeclaredIn(files: ReadonlySet<ts.SourceFile>, { declarations = [] }: ts.Symbol): boolean {
  return declarations.some(({ parent }) => ts.isSourceFile(parent) && files.has(parent));
}
