// Links that log visitors of a demonstration in. Bound by the command demo only.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { paths } from '../../../contract/plain/page-paths.ts'
import { findByEmail } from '../../domain/accounts/account-rows.ts'
import { startSession } from '../../domain/accounts/sessions.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { clientAddress } from '../request/client-address.ts'
import { countAddress } from '../request/request-rate.ts'

/** Stores the token where the page reads it (web/model/token.ts). */
const script = `localStorage.setItem('token', document.documentElement.dataset.token); location.replace('${paths.dashboard}')`
const scriptHash = createHash('sha256').update(script).digest('base64')

/** @param emails of the accounts by the last part of their link: /demo/admin */
export function bindDemoLogin(app: FastifyInstance, deps: Deps, emails: Record<string, string>): void {
  for (const [name, email] of Object.entries(emails)) {
    app.get(`/demo/${name}`, async (request, reply) => {
      await countAddress(deps, reply, clientAddress(request))
      const account = await findByEmail(deps, email)
      // Every visitor sees the sessions of the account.
      const client = { address: 'unknown', userAgent: request.headers['user-agent'] }
      const token = account && (await startSession(deps, account, client))
      // A visitor has deleted or changed the account: it is there again after the next reset.
      if (!token) throw new Failure('user_not_found')
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-security-policy': `default-src 'none'; script-src 'sha256-${scriptHash}'; frame-ancestors 'none'`,
        })
        .type('text/html; charset=utf-8')
        .send(
          `<!doctype html><html lang="en" data-token="${token}"><title>Demo</title><script>${script}</script></html>`,
        )
    })
  }
}
