import { allCalls } from '#contract/calls.ts';
import { openapiDocument } from '#contract/openapi.ts';

// `npm run -s openapi`: the document of the API, without a server.
process.stdout.write(
  `${JSON.stringify(openapiDocument(allCalls, process.env.PRODUCT_NAME ?? 'Storylark'), undefined, 2)}\n`,
);
