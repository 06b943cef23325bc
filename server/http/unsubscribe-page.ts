// The link in mails that remind: GET asks, POST switches them off, by the button of the page or by a
// mail program without it (RFC 8058).
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unsubscribePath } from '../../contract/page-paths.ts'
import type { Deps } from '../domain/deps.ts'
import { checkUnsubscribeLink, unsubscribe, type UnsubscribeLink } from '../domain/unsubscribe.ts'
import { clientAddress } from './client-address.ts'
import { prepareFailure, toFailure } from './errors.ts'
import { sendPlainPage, withoutBody } from './plain-page.ts'
import { countAddress } from './rate-limit.ts'

export function bindUnsubscribePage(app: FastifyInstance, deps: Deps): void {
  const url = unsubscribePath.replace(/\{(\w+)\}/g, ':$1')
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientAddress(request)
    await countAddress(deps, reply, address)
    return [deps, request.params as UnsubscribeLink, address] as const
  }
  const { SITE_NAME: site } = deps.config
  app.register(async (scope) => {
    withoutBody(scope)
    scope.setErrorHandler((error, request, reply) => {
      const failure = prepareFailure(request, reply, toFailure(error as FastifyError, request))
      const text = [failure.message, 'You can also switch these mails off on your account page.']
      return sendPlainPage(reply, site, { title: 'Nothing has changed', text })
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url,
      async handler(request, reply) {
        await checkUnsubscribeLink(...(await begin(request, reply)))
        return sendPlainPage(reply, site, {
          title: 'Switch these mails off?',
          text: [
            'You then get no mail about images that expire soon, nor about webhooks that were switched off.',
            'Mails about the safety of your account are still sent.',
          ],
          button: { label: 'Switch off' },
        })
      },
    })
    scope.post(url, async (request, reply) => {
      await unsubscribe(...(await begin(request, reply)))
      const text = ['You can switch them on again on your account page.']
      return sendPlainPage(reply, site, { title: 'These mails are off', text })
    })
  })
}
