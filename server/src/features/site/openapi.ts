import { ADMITTED, type Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { ErrorAnswer } from '@feierbild/contract/call.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { z } from 'zod';
import { VERSION } from '../../lib/software.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `Guests upload photos by an event's code; its host gets gallery, slideshow and ZIP. Errors are \`{error, code, fields?}\`: a German
sentence, a stable code, and what is wrong with which field. Each 429 and 503 carries Retry-After. Beside these calls a Fotobox may write by WebDAV to
/dav/{eventCode}/ (docs/fotobox.md).`;

/** Prints the contract as OpenAPI 3.1: every call with its inputs, answers and errors. */
export function openApiDocument() {
  const paths: Record<string, Json> = {};
  const calls: [string, Call][] = Object.entries(contract);
  for (const [name, call] of calls) {
    const [method = '', path = ''] = name.split(' ');
    (paths[path.replace(/:([a-z]+)/g, '{$1}')] ??= {})[method.toLowerCase()] = operation(name, call);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Feierbild',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(calls.map(([, { tag }]) => tag))],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorAnswer, 'output') },
      securitySchemes: {
        host: { type: 'apiKey', in: 'cookie', name: 'feierbild_host' },
        admin: { type: 'apiKey', in: 'cookie', name: 'feierbild_admin' },
        projector: { type: 'apiKey', in: 'cookie', name: 'feierbild_projector' },
        gallery: { type: 'apiKey', in: 'cookie', name: 'feierbild_gallery' },
        helper: { type: 'apiKey', in: 'cookie', name: 'feierbild_helper' },
        token: { type: 'http', scheme: 'bearer', description: 'Made at /admin/verbindungen; for the calls that name its scope.' },
        program: { type: 'http', scheme: 'bearer', description: "Made by an event's host; reads its photos in the calls that name it." },
        device: { type: 'apiKey', in: 'header', name: 'Device-ID' },
      },
    },
  };
}

function operation(name: string, call: Call): Json {
  return {
    tags: [call.tag.name],
    operationId: name.replace(/[^A-Za-z_]+/g, '_'),
    summary: call.summary,
    description: `Access: ${call.access}.`,
    security: securityOf(call),
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query'), ...parameters(call.headers, 'header')],
    ...(call.body && { requestBody: { content: { 'application/json': { schema: schemaOf(call.body, 'input') } } } }),
    ...(call.multipart && { requestBody: { required: true, content: { 'multipart/form-data': { schema: UPLOAD } } } }),
    ...(call.stream && { requestBody: { content: { [call.stream]: { schema: { type: 'string', format: 'binary' } } } } }),
    responses: { ...answers(call), ...refusals(call) },
  };
}

const UPLOAD = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' }, eventCode: { type: 'string' }, deviceName: { type: 'string' } },
};

function securityOf({ access, token }: Call): Json[] {
  if (access === 'anyone') return [];
  // Assistants use the same cookie.
  if (access === 'admin') return [{ admin: [] }, ...(token ? [{ token: [token] }] : [])];
  const others: Json[] = (ADMITTED[access] ?? []).map((role) => ({ [role]: [] }));
  if (token) others.push({ program: [token] });
  if (access === 'photo' || access === 'picture' || access === 'original') return [{ host: [] }, { device: [] }, ...others];
  if (access === 'guest') return others;
  return others.length > 0 ? [{ host: [] }, ...others] : [{ [access]: [] }];
}

function parameters(schema: z.ZodType | undefined, where: string): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: of,
  }));
}

function answers(call: Call): Json {
  return Object.fromEntries(
    Object.entries(call.answers).map(([status, answer]) => {
      if (answer === 'empty') return [status, { description: 'No content' }];
      const content =
        answer === 'bytes'
          ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
          : { 'application/json': { schema: schemaOf(answer, 'output') } };
      return [status, { description: 'OK', content }];
    }),
  );
}

/** Returns the errors of a call by status, with codes and texts. */
function refusals(call: Call): Json {
  const byStatus = Map.groupBy(call.errors, (code) => errors[code].status);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      { description: codes.map((code) => `${code}: ${errors[code].text}`).join('\n'), content },
    ]),
  );
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
