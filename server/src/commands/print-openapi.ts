import { api } from '#contract/api.ts';
import { openapiDocument } from '#contract/openapi.ts';

// `npm run -s openapi`: prints the OpenAPI document without a server.
process.stdout.write(
  `${JSON.stringify(openapiDocument(api, process.env.PRODUCT_NAME ?? 'Storylark'), undefined, 2)}\n`,
);
