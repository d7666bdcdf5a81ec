import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    info: object;
    servers: { url: string }[];
    tags: { name: string }[];
    paths: Record<
      string,
      Record<string, { operationId: string; tags: string[]; description: string; responses: object; security: object[] }>
    >;
    components: { securitySchemes: object };
  };

  it('names every call of the contract once, with its answers and errors', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(Object.keys(contract).length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(Object.keys(document.paths['/upload']?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '201', '413', '415', '507']),
    );
  });

  it('says its license and server, and of each call the group and who may make it', () => {
    expect([document.info, document.servers]).toMatchObject([{ license: { identifier: 'MIT' } }, [{ url: '/' }]]);
    const groups = document.tags.map(({ name }) => name);
    for (const { tags, description } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      expect(groups).toEqual(expect.arrayContaining(tags));
      expect([tags.length, description]).toEqual([1, expect.stringMatching(/^Access: \w+\.$/)]);
    }
  });

  it('names by which logins and tokens each call is made, of those that it describes', () => {
    for (const [name, call] of Object.entries<Call>(contract)) {
      const [method = '', path = ''] = name.split(' ');
      const { security } = document.paths[path.replace(/:([a-z]+)/g, '{$1}')]?.[method.toLowerCase()] ?? { security: [] };
      const schemes = security.flatMap((one) => Object.keys(one));
      expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining(schemes));
      if (call.access === 'admin')
        expect([name, security]).toEqual([name, [{ admin: [] }, ...(call.token ? [{ token: [call.token] }] : [])]]);
    }
  });

  it('writes path parameters the way OpenAPI does', () => {
    expect(Object.keys(document.paths)).toContain('/api/photos/{id}/thumbnail');
    expect(Object.keys(document.paths).filter((path) => path.includes(':'))).toEqual([]);
  });
});
