import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance } from 'fastify';
import type { StatementListener } from '../database/database.ts';
import type { Job } from '../jobs/queue.ts';
import { currentRequest, runInRequest } from './request-scope.ts';

/** Traces of requests, jobs and their statements, sent to an OpenTelemetry collector. */
export interface Tracing {
  watch(app: FastifyInstance): void;
  /** The same job, a span each try. */
  traced(job: Job): Job;
  /** Notes a statement that has ended now. Its text has no values: they travel apart from it. */
  noteStatement: StatementListener;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** The span that the running work is part of, as the parent of new ones. */
function parentContext(): Context {
  const span = currentRequest()?.span as Span | undefined;
  return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
}

/** The settings of the exporter are those of OpenTelemetry: `OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS`, `…_TIMEOUT`. */
export function startTracing(serviceName: string, exporter: SpanExporter = new OTLPTraceExporter()): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('portal');
  return {
    watch(app) {
      const spans = new WeakMap<object, Span>();
      app.addHook('onRequest', (request, _reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        const attributes = { 'http.request.method': request.method, 'http.route': route, 'request.id': request.id };
        const span = tracer.startSpan(
          `${request.method} ${route}`,
          { kind: SpanKind.SERVER, attributes },
          parentContext(),
        );
        spans.set(request, span);
        runInRequest({ requestId: request.id, span }, done);
      });
      app.addHook('onResponse', async (request, reply) => {
        const span = spans.get(request);
        span?.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      });
    },
    traced: (job) => ({
      ...job,
      async run(data) {
        const requestId = currentRequest()?.requestId ?? '';
        const attributes = { 'request.id': requestId };
        const span = tracer.startSpan(`job ${job.name}`, { kind: SpanKind.CONSUMER, attributes }, parentContext());
        try {
          await runInRequest({ requestId, span }, () => job.run(data));
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      },
    }),
    noteStatement: (text, milliseconds) => {
      // Those of no request are the queue's looks for work.
      if (!currentRequest()?.span) return;
      const end = Date.now();
      const name = text.trimStart().split(/\s/, 1)[0]?.toLowerCase() ?? 'statement';
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 4000) };
      tracer
        .startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: end - milliseconds }, parentContext())
        .end(end);
    },
    stop: () => provider.shutdown(),
  };
}
