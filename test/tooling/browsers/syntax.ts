import type { AnyNode, ImportDeclaration, Literal } from 'acorn';

/**
 * The syntax that some browser with modules has not, by its path in MDN's tables, and whether a node is such. A test
 * demands an entry for all syntax that a promised browser lacks.
 */
export const SYNTAX: Readonly<Record<string, (node: AnyNode) => boolean>> = {
  'javascript.statements.using': (node) => isDeclaration(node, 'using'),
  'javascript.statements.await_using': (node) => isDeclaration(node, 'await using'),
  'javascript.classes.static.initialization_blocks': (node) => node.type === 'StaticBlock',
  'javascript.classes.private_class_fields_in': (node) =>
    node.type === 'BinaryExpression' && node.left.type === 'PrivateIdentifier',
  'javascript.classes.private_class_methods': (node) =>
    node.type === 'MethodDefinition' && node.key.type === 'PrivateIdentifier',
  'javascript.statements.import.import_attributes': (node) =>
    isImport(node) && (node.attributes?.length ?? 0) > 0,
  'javascript.operators.import.options_parameter': (node) =>
    node.type === 'ImportExpression' && node.options != null,
  'javascript.operators.import_meta.resolve': (node) =>
    node.type === 'MemberExpression' &&
    node.object.type === 'MetaProperty' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'resolve',
  'javascript.operators.logical_or_assignment': (node) => isAssignment(node, '||='),
  'javascript.operators.logical_and_assignment': (node) => isAssignment(node, '&&='),
  'javascript.operators.nullish_coalescing_assignment': (node) => isAssignment(node, '??='),
  'javascript.builtins.RegExp.unicodeSets': (node) => hasFlag(node, 'v'),
  'javascript.builtins.RegExp.hasIndices': (node) => hasFlag(node, 'd'),
  'javascript.regular_expressions.lookbehind_assertion': (node) => hasPattern(node, /\(\?<[=!]/),
  'javascript.regular_expressions.modifier': (node) => hasPattern(node, /\(\?[ims]*-?[ims]*:/, /\(\?:/g),
  'javascript.regular_expressions.named_capturing_group.duplicate_named_capturing_groups': (node) =>
    hasPattern(node, /\(\?<(\w+)>.*\(\?<\1>/s),
};

/** What the parser refuses, so that no node is needed for it; and what only changes what happens, not what is parsed. */
export const NOT_PARSED: readonly string[] = [
  'javascript.statements.import.defer',
  'javascript.statements.import.import_source',
  'javascript.operators.import.defer',
  'javascript.operators.import.import_source',
  'javascript.regular_expressions.buffer_boundary_assertion',
  'javascript.statements.import.http_errors_not_cached',
  'javascript.operators.import.http_errors_not_cached',
  // Our pages have no workers.
  'javascript.statements.import.service_worker_support',
  'javascript.statements.import.worker_support',
  'javascript.statements.import.worklet_support',
  'javascript.operators.import.worker_support',
  // The parser keeps no commas; the build removes this one.
  'javascript.grammar.trailing_commas.trailing_commas_in_dynamic_import',
  // The old form of import attributes, which the parser refuses.
  'javascript.statements.import.import_assertions',
];

const isDeclaration = (node: AnyNode, kind: string): boolean =>
  node.type === 'VariableDeclaration' && node.kind === kind;

const isAssignment = (node: AnyNode, operator: string): boolean =>
  node.type === 'AssignmentExpression' && node.operator === operator;

const isImport = (node: AnyNode): node is ImportDeclaration => node.type === 'ImportDeclaration';

const isRegExp = (node: AnyNode): node is Literal & { regex: NonNullable<Literal['regex']> } =>
  node.type === 'Literal' && Boolean(node.regex);

const hasFlag = (node: AnyNode, flag: string): boolean => isRegExp(node) && node.regex.flags.includes(flag);

/** Returns whether a regular expression has a form, apart from what is escaped, in classes, or to be left out. */
const hasPattern = (node: AnyNode, form: RegExp, without = /$^/g): boolean =>
  isRegExp(node) &&
  form.test(
    node.regex.pattern
      .replaceAll(/\\./gs, '')
      .replaceAll(/\[[^\]]*\]/g, '')
      .replaceAll(without, ''),
  );
