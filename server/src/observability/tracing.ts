import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance } from 'fastify';
import type { StatementListener } from '../database/database.ts';
import type { Job } from '../jobs/queue.ts';
import { VERSION } from '../version.ts';
import { currentOwner, currentRequest, runInRequest } from '../logging/request-scope.ts';

/** Traces of requests, jobs and their statements, sent to an OpenTelemetry collector. */
interface Tracing {
  watch(app: FastifyInstance): void;
  /** Wraps a job with a span for each try. */
  traceJob(job: Job): Job;
  /** Records a statement that has just ended. Its text contains no values. */
  recordStatement: StatementListener;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** The caller's span, which the proxy sends in the form of the W3C. */
function remoteContext({ traceparent }: IncomingHttpHeaders): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(traceparent)) ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true });
}

/** Statements that read or write nothing. */
const CONTROLS_TRANSACTION = /^\s*(begin|start transaction|commit|rollback|set)\b/i;

/** The span of the current work, as the parent of new ones. */
function parentContext(): Context {
  const span = currentRequest()?.span as Span | undefined;
  return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
}

/**
 * The settings of the exporter are those of OpenTelemetry: `OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS`, `…_TIMEOUT`.
 * @param isTrusted whether a request comes from a proxy, whose trace it continues
 */
export function startTracing(
  serviceName: string,
  isTrusted: (request: IncomingMessage) => boolean,
  exporter: SpanExporter = new OTLPTraceExporter(),
): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION }),
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
          currentRequest()?.span || !isTrusted(request.raw) ? parentContext() : remoteContext(request.headers),
        );
        spans.set(request, span);
        runInRequest({ owner: currentOwner(), ...currentRequest(), requestId: request.id, span }, done);
      });
      app.addHook('onResponse', async (request, reply) => {
        const span = spans.get(request);
        span?.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      });
    },
    traceJob: (job) => ({
      ...job,
      async run(data, signal) {
        const requestId = currentRequest()?.requestId ?? '';
        const attributes = { 'request.id': requestId };
        const span = tracer.startSpan(`job ${job.name}`, { kind: SpanKind.CONSUMER, attributes }, parentContext());
        try {
          await runInRequest({ requestId, owner: currentOwner(), span }, () => job.run(data, signal));
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      },
    }),
    recordStatement: (text, milliseconds) => {
      // Statements outside a request are the queue's polling.
      if (!currentRequest()?.span || CONTROLS_TRANSACTION.test(text)) return;
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
