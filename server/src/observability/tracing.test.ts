import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { beforeEach, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { testApp } from '../testing/app.ts';
import { startTracing } from './tracing.ts';

const app = testApp();
const exporter = new InMemorySpanExporter();
let spans: ReadableSpan[];
// What is exported is kept until here; the exporter forgets it when it stops.
exporter.export = (some, done) => {
  spans.push(...some);
  done({ code: 0 });
};
beforeEach(() => void (spans = []));

test('a request is a span, with its statements below it and no value in any', async () => {
  const tracing = startTracing('Test', exporter);
  const watched = await createApp(app.services, undefined, tracing.watch);
  const { admin, id } = await app.build.school();
  watched.addHook('preHandler', async () => tracing.noteStatement('select name from pupils where id = $1', 3));
  const { headers } = await watched.inject({
    url: `/v1/enterprises/${id}/readers?search=Quill`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  await watched.close();
  await tracing.stop();

  const request = spans.find(({ name }) => name === 'GET /v1/enterprises/:id/readers');
  const statement = spans.find(({ name }) => name === 'select');
  expect(request?.attributes).toMatchObject({
    'http.response.status_code': 200,
    'request.id': headers['x-request-id'],
  });
  expect(statement?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(statement?.attributes['db.query.text']).toBe('select name from pupils where id = $1');
  expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain('Quill');
});

test('a try of a job is a span that says whether it failed; statements of nobody are none', async () => {
  const tracing = startTracing('Test', exporter);
  tracing.noteStatement('select 1', 1);
  const fault = new Error('no');
  await tracing.traced({ name: 'cleaning', run: async () => tracing.noteStatement('delete from sessions', 1) }).run({});
  await expect(tracing.traced({ name: 'mail', run: () => Promise.reject(fault) }).run({})).rejects.toBe(fault);
  await tracing.stop();
  expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
    ['delete', 0],
    ['job cleaning', 0],
    ['job mail', 2],
  ]);
});
