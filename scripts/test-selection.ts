// Selects test files: which ones PostgreSQL adds nothing to, and which ones `npm test -- quick` leaves out.

/**
 * Tests of server/domain and server/http whose result does not depend on SQL: headers, framing of
 * requests, delivery of files, drawing, who may call what. They run on SQLite only. Every other file
 * of the two folders, a new one too, runs on both databases.
 */
export const sqliteOnly = [
  'server/domain/accounts/names.test.ts',
  'server/domain/accounts/notices.test.ts',
  'server/domain/accounts/password-policy.test.ts',
  'server/domain/images/image-analysis.test.ts',
  'server/domain/images/image-names.test.ts',
  'server/domain/images/optimization-tips.test.ts',
  'server/domain/images/svg-images.test.ts',
  'server/domain/images/variant-plan.test.ts',
  'server/domain/networks.test.ts',
  'server/domain/phash-list.test.ts',
  'server/domain/proof-of-work.test.ts',
  'server/http/catalogue.test.ts',
  'server/http/client-setups.test.ts',
  'server/http/compat/rules.test.ts',
  'server/http/delete-page.test.ts',
  'server/http/delivery.test.ts',
  'server/http/errors.test.ts',
  'server/http/exposure.test.ts',
  'server/http/failures.test.ts',
  'server/http/guard/broken-requests.test.ts',
  'server/http/guard/connection-limit.test.ts',
  'server/http/guard/minimum-throughput.test.ts',
  'server/http/guard/pipelining.test.ts',
  'server/http/guard/slow-clients.test.ts',
  'server/http/headers.test.ts',
  'server/http/log.test.ts',
  'server/http/mcp.test.ts',
  'server/http/media-origin.test.ts',
  'server/http/metrics.test.ts',
  'server/http/multipart.test.ts',
  'server/http/openapi.test.ts',
  'server/http/properties.test.ts',
  'server/http/proxy-warning.test.ts',
  'server/http/roles.test.ts',
  'server/http/site-documents.test.ts',
  'server/http/ssrf.test.ts',
  'server/http/trusted-proxies.test.ts',
  'server/http/unsubscribe-page.test.ts',
  'server/http/upload-by-url.test.ts',
  'server/http/web.test.ts',
]

/** Tests that start decoders, servers or databases of their own, or compute for seconds. */
export const slow = [
  '{bench,e2e,faults,fuzz}/**/*.test.ts',
  'command/{command,library}.test.ts',
  'server/cli/server-commands.test.ts',
  'server/app.test.ts',
  'server/start-failure.test.ts',
  'server/imaging/**/*.test.ts',
  'server/testing/*.test.ts',
  'server/blobs/s3.test.ts',
  'server/domain/expiry-digests.test.ts',
  'server/domain/mail-queue.test.ts',
  'server/domain/database/*.test.ts',
  'server/domain/images/{claim-images,image-outline,manage-image,query-plans,soft-delete,svg-images,uploads}.test.ts',
  'server/http/{delivery,headers,lost-connections,media-origin,trusted-proxies,two-servers}.test.ts',
  'server/http/{guard,hot}/*.test.ts',
]
