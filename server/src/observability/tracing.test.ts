import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { beforeEach, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { testApp } from '../testing/app.ts';
import { VERSION } from '../version.ts';
import { startTracing } from './tracing.ts';

const app = testApp();
const exporter = new InMemorySpanExporter();
let spans: ReadableSpan[];
// Exported spans are copied here, because the exporter discards them when it stops.
exporter.export = (some, done) => {
  spans.push(...some);
  done({ code: 0 });
};
beforeEach(() => void (spans = []));

test('the trace of a request contains its statements, and no values', async () => {
  const tracing = startTracing('Test', () => false, exporter);
  const watched = await createApp(app.services, undefined, tracing.watch);
  const { admin, id } = await app.build.school();
  watched.addHook('preHandler', async () => tracing.recordStatement('select name from pupils where id = $1', 3));
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
  expect(request?.resource.attributes).toMatchObject({ 'service.name': 'Test', 'service.version': VERSION });
  expect(statement?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(statement?.attributes['db.query.text']).toBe('select name from pupils where id = $1');
  expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain('Quill');
});

test('the trace of a job contains its statements and result, without begin, commit and settings', async () => {
  const tracing = startTracing('Test', () => false, exporter);
  const texts = ['begin', "set local app.school_id = '1'", 'SET LOCAL x = 1', 'delete from sessions', 'commit'];
  // Outside a trace.
  tracing.recordStatement('select 1', 1);
  const fault = new Error('no');
  await tracing
    .traceJob({ name: 'cleaning', run: async () => texts.forEach((text) => tracing.recordStatement(text, 1)) })
    .run({});
  await expect(tracing.traceJob({ name: 'mail', run: () => Promise.reject(fault) }).run({})).rejects.toBe(fault);
  await tracing.stop();
  expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
    ['delete', 0],
    ['job cleaning', 0],
    ['job mail', 2],
  ]);
});

test.each([true, false])(
  'the trace that a caller began is continued for a trusted proxy only (trusted: %s)',
  async (isTrusted) => {
    const tracing = startTracing('Test', () => isTrusted, exporter);
    const watched = await createApp(app.services, undefined, tracing.watch);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await watched.inject({ url: '/v1/live', headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });
    await watched.inject({ url: '/v1/live', headers: { traceparent: 'nonsense' } });
    await watched.close();
    await tracing.stop();
    const ids = spans.map((span) => span.spanContext().traceId);
    expect(ids).toHaveLength(2);
    expect(ids.map((id) => id === traceId)).toEqual([isTrusted, false]);
  },
);
