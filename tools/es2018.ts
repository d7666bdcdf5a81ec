import { parseAst } from 'vite';

/** ESTree's names of the syntax of ES2018. */
const KNOWN = new Set(
  `ArrayExpression ArrayPattern ArrowFunctionExpression AssignmentExpression AssignmentPattern AwaitExpression BinaryExpression
   BlockStatement BreakStatement CallExpression CatchClause ClassBody ClassDeclaration ClassExpression ConditionalExpression
   ContinueStatement DebuggerStatement DoWhileStatement EmptyStatement ExportDefaultDeclaration ExportNamedDeclaration ExportSpecifier
   ExpressionStatement ForInStatement ForOfStatement ForStatement FunctionDeclaration FunctionExpression Identifier IfStatement
   ImportDeclaration ImportDefaultSpecifier ImportNamespaceSpecifier ImportSpecifier LabeledStatement Literal LogicalExpression
   MemberExpression MethodDefinition NewExpression ObjectExpression ObjectPattern Program Property RestElement ReturnStatement
   SequenceExpression SpreadElement Super SwitchCase SwitchStatement TaggedTemplateExpression TemplateElement TemplateLiteral
   ThisExpression ThrowStatement TryStatement UnaryExpression UpdateExpression VariableDeclaration VariableDeclarator WhileStatement
   WithStatement YieldExpression`.split(/\s+/),
);
const KNOWN_OPERATORS = /^(?!\?\?|\|\|=|&&=)/;

interface Node {
  type: string;
  operator?: string;
  param?: object | null;
  raw?: string;
  bigint?: string;
  regex?: { flags: string };
  kind?: string;
}

/** Lists a program's syntax that is newer than ES2018. */
export function newerSyntax(code: string): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, inFunction: boolean): void => {
    if (Array.isArray(value)) return value.forEach((each) => walk(each, inFunction));
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (typeof node.type === 'string') {
      const name = newerIn(node, inFunction);
      if (name !== null) found.add(name);
    }
    const within = inFunction || /Function/.test(node.type ?? '');
    for (const [key, child] of Object.entries(value)) if (key !== 'regex') walk(child, within);
  };
  walk(parseAst(code), false);
  return [...found];
}

function newerIn({ type, operator, param, raw = '', bigint, regex, kind = '' }: Node, inFunction: boolean): string | null {
  if (!KNOWN.has(type)) return type;
  if (operator !== undefined && !KNOWN_OPERATORS.test(operator)) return operator;
  if (type === 'CatchClause' && param === null) return 'catch {';
  if (type === 'AwaitExpression' && !inFunction) return 'await outside of functions';
  if (type === 'VariableDeclaration' && /using/.test(kind)) return kind;
  if (type !== 'Literal') return null;
  if (bigint !== undefined) return 'bigint';
  if (regex) return /[^gimsuy]/.test(regex.flags) ? `/${regex.flags}` : null;
  return /^[\d.]+_/.test(raw) ? raw : null;
}
