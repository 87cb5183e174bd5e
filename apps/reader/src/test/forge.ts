/** A specification as those of large products are: an operation with everything that a card shows. */
export const forge = {
  openapi: '3.1.0',
  info: { title: 'Forge', version: '1' },
  servers: [
    {
      url: 'https://{host}/api/v3',
      description: 'Where it is installed',
      variables: { host: { default: 'forge.example.com', enum: ['forge.example.com', 'forge.example.org'] } },
    },
  ],
  paths: {
    '/orgs/{org}/repos/{repo_name}': {
      post: {
        summary: 'Create an organization repository',
        description:
          'Creates a new repository in the organization. The user **must be a member** of it.\n\nOAuth tokens need the `public_repo` or `repo` scope, see [scopes](https://example.com/scopes).',
        deprecated: true,
        'x-deprecated-sunset': '2027-12-05',
        'x-stability': 'beta',
        security: [{ token: [] }, { login: ['repo', 'admin:org'] }, {}],
        parameters: [
          {
            name: 'org',
            in: 'path',
            required: true,
            description: 'The organization name. The name is not case sensitive.',
            schema: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[a-z-]+$' },
            example: 'octo-org',
          },
          { name: 'repo_name', in: 'path', required: true, schema: { type: 'string' } },
          {
            name: 'sort',
            in: 'query',
            description: 'The property to sort the results by.',
            schema: {
              type: 'string',
              enum: ['created', 'updated'],
              default: 'created',
              'x-enumDescriptions': { created: 'When it was made.', updated: 'When it was changed.' },
            },
          },
          { name: 'per_page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 30 } },
          { name: 'X-Forge-Version', in: 'header', deprecated: true, schema: { type: 'string', format: 'date' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/new-repository' },
              examples: {
                small: { summary: 'A small one', value: { name: 'hello', private: true } },
                large: { summary: 'With a licence', value: { name: 'hello', topics: ['a', 'b'], licence: 'mit' } },
              },
            },
            'application/xml': { schema: { type: 'string' }, example: '<repository name="hello"/>' },
          },
        },
        responses: {
          201: {
            description: 'Response',
            headers: { Location: { description: 'Where it is.', schema: { type: 'string', format: 'uri' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/repository' } } },
          },
          403: {
            description: 'Forbidden',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
          },
          422: {
            description: 'Validation failed, or the endpoint has been called **too often**.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
          },
          default: { description: 'Anything else' },
        },
        'x-codeSamples': [
          { lang: 'ruby', label: 'Ruby', source: 'client = Forge.new\nclient.repos.create("octo-org", name: "hello")' },
        ],
      },
    },
  },
  components: {
    securitySchemes: {
      token: { type: 'apiKey', in: 'header', name: 'X-Forge-Token', description: 'Made in the _settings_.' },
      login: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://example.com/a',
            tokenUrl: 'https://example.com/t',
            scopes: { repo: 'Read and write repositories', 'admin:org': 'Manage organizations' },
          },
        },
      },
    },
    schemas: {
      error: {
        type: 'object',
        properties: {
          message: { type: 'string' },
          documentation_url: { type: 'string', format: 'uri' },
          errors: { type: 'array', items: { type: 'object', properties: { code: { type: 'string' } } } },
        },
      },
      'new-repository': {
        type: 'object',
        required: ['name'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', description: 'The name of the repository.', minLength: 1, maxLength: 100 },
          private: { type: 'boolean', default: false, description: 'Whether the repository is private.' },
          topics: { type: 'array', items: { type: 'string' }, maxItems: 20, uniqueItems: true },
          owner: {
            description: 'Who owns it.',
            oneOf: [{ $ref: '#/components/schemas/person' }, { $ref: '#/components/schemas/team' }],
            discriminator: { propertyName: 'type', mapping: { user: '#/components/schemas/person' } },
          },
          secret: { type: 'string', writeOnly: true },
        },
      },
      person: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string' }, login: { type: 'string' }, email: { type: ['string', 'null'] } },
      },
      team: { type: 'object', properties: { type: { type: 'string' }, slug: { type: 'string' } } },
      licence: { type: 'object', properties: { key: { type: 'string' }, url: { type: ['string', 'null'] } } },
      repository: {
        type: 'object',
        required: ['id', 'name', 'owner'],
        properties: {
          id: { type: 'integer', format: 'int64', example: 1296269 },
          name: { type: 'string', example: 'Hello-World' },
          owner: { $ref: '#/components/schemas/person' },
          licence: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/licence' }] },
          parent: { $ref: '#/components/schemas/repository', description: 'What it is a copy of.' },
          permissions: {
            type: 'object',
            properties: { admin: { type: 'boolean' }, more: { $ref: '#/components/schemas/more-permissions' } },
          },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          visibility: { type: 'string', enum: ['public', 'private', 'internal'] },
        },
      },
      'more-permissions': {
        type: 'object',
        properties: { push: { type: 'boolean' }, of: { $ref: '#/components/schemas/repository' } },
      },
    },
  },
};
