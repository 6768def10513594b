import { parse, type AnyNode, type MemberExpression, type Pattern, type Program } from 'acorn';
import { full } from 'acorn-walk';
import { childOf, findBranch, findFeature, type Feature } from './compat-data.ts';
import { eventNames, findTooNew, listMissing, memberNames, type Finding } from './judge.ts';
import type { Audience } from './promise.ts';
import { SYNTAX } from './syntax.ts';

/** The interface of what a page finds in a global variable. */
const GLOBALS: Readonly<Record<string, string>> = {
  window: 'Window',
  self: 'Window',
  globalThis: 'Window',
  document: 'Document',
  navigator: 'Navigator',
  location: 'Location',
  history: 'History',
  crypto: 'Crypto',
  performance: 'Performance',
  localStorage: 'Storage',
  sessionStorage: 'Storage',
};

/** Returns what a script uses and a promised browser has not: syntax, globals, members, options and events. */
export function judgeScript(file: string, code: string, audience: Audience): readonly Finding[] {
  const program = parseScript(code);
  if (program instanceof Error)
    return [{ file, feature: `syntax: ${program.message}`, missing: ['every promised browser'] }];
  const found = new Map<string, Finding>();
  const add = (feature: Feature | undefined): void => {
    if (feature === undefined) return;
    const missing = listMissing(feature.compat, audience);
    if (missing.length > 0) found.set(feature.path, { file, feature: feature.path, missing });
  };
  const declared = listDeclared(program);
  full(program, (node) => {
    listSyntax(node).forEach(add);
    add(findUse(node, declared, audience));
  });
  return [...found.values()];
}

function parseScript(code: string): Program | Error {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  } catch (error) {
    return error as Error;
  }
}

const listSyntax = (node: AnyNode): readonly Feature[] =>
  Object.entries(SYNTAX)
    .filter(([, is]) => is(node))
    .map(([path]) => findFeature(path));

/** Returns every name that a file declares: none of these is a global, wherever it stands. */
function listDeclared(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  const take = (pattern: Pattern | null | undefined): void => {
    if (pattern) for (const name of listNames(pattern)) names.add(name);
  };
  full(program, (node) => {
    if (node.type === 'VariableDeclarator') take(node.id);
    if (node.type === 'CatchClause') take(node.param);
    if ('params' in node) node.params.forEach(take);
    if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id) take(node.id);
    if (node.type === 'ImportDeclaration') node.specifiers.forEach(({ local }) => take(local));
  });
  return names;
}

function listNames(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        listNames(each.type === 'RestElement' ? each.argument : each.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each ? listNames(each) : []));
    case 'RestElement':
      return listNames(pattern.argument);
    case 'AssignmentPattern':
      return listNames(pattern.left);
    case 'MemberExpression':
      return [];
  }
}

/** Returns the feature of the web that a node uses, where its name says which. */
function findUse(node: AnyNode, declared: ReadonlySet<string>, audience: Audience): Feature | undefined {
  switch (node.type) {
    case 'Identifier':
      return declared.has(node.name) ? undefined : findGlobal(node.name);
    case 'MemberExpression':
      return findMember(node, declared, audience);
    case 'Property':
      return findNamed(readName(node.key, node.computed), audience);
    case 'CallExpression':
      return findEvent(node, audience);
    default:
      return undefined;
  }
}

const findGlobal = (name: string): Feature | undefined =>
  findOptional(`javascript.builtins.${name}`) ?? findOptional(`api.${name}`);

function findOptional(path: string): Feature | undefined {
  const compat = findBranch(path)?.__compat;
  return compat && { path, compat };
}

/** A member of a known object is looked up there, any other by its name alone. */
function findMember(
  node: MemberExpression,
  declared: ReadonlySet<string>,
  audience: Audience,
): Feature | undefined {
  const name = readName(node.property, node.computed);
  if (name === undefined) return undefined;
  const owner = node.object.type === 'Identifier' && !declared.has(node.object.name) ? node.object.name : '';
  return (owner && findOwned(owner, name)) || findNamed(name, audience);
}

function findOwned(owner: string, name: string): Feature | undefined {
  if (GLOBALS[owner] === 'Window') return findOptional(`api.Window.${name}`) ?? findGlobal(name);
  const paths = [`javascript.builtins.${owner}`, `api.${GLOBALS[owner] ?? owner}`];
  for (const path of paths)
    for (const own of [`${name}_static`, name])
      if (childOf(findBranch(path), own)?.__compat) return findFeature(`${path}.${own}`);
  return undefined;
}

const findNamed = (name: string | undefined, audience: Audience): Feature | undefined =>
  name === undefined ? undefined : findTooNew(memberNames, name, audience);

function findEvent(node: AnyNode & { type: 'CallExpression' }, audience: Audience): Feature | undefined {
  const { callee } = node;
  const name = callee.type === 'MemberExpression' ? readName(callee.property, callee.computed) : undefined;
  const called = callee.type === 'Identifier' ? callee.name : name;
  const [event] = node.arguments;
  if (called !== 'addEventListener' || event?.type !== 'Literal') return undefined;
  return findTooNew(eventNames, String(event.value), audience);
}

function readName(node: AnyNode, computed: boolean): string | undefined {
  if (node.type === 'Literal') return String(node.value);
  return node.type === 'Identifier' && !computed ? node.name : undefined;
}
