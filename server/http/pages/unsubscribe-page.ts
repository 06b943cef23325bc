// The link in mails that remind: GET describes the change, POST switches them off, by the button of the page or by a
// mail program without it (RFC 8058).
import type { FastifyInstance } from 'fastify'
import { unsubscribePath } from '../../../contract/plain/page-paths.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { checkUnsubscribeLink, unsubscribe, type UnsubscribeLink } from '../../domain/mail/unsubscribe.ts'
import { bindPlainPage } from './confirm-link-page.ts'
import type { PageFrame } from './page-frame.ts'

export function bindUnsubscribePage(app: FastifyInstance, deps: Deps, frame: PageFrame): void {
  bindPlainPage(app, deps, frame, {
    path: unsubscribePath,
    async describe(request, address) {
      await checkUnsubscribeLink(deps, request.params as UnsubscribeLink, address)
      return {
        title: 'Switch these mails off?',
        text: [
          'You then get no mail about images that expire soon, nor about webhooks that were switched off.',
          'Mails about the safety of your account are still sent.',
        ],
        button: { label: 'Switch off' },
      }
    },
    async change(request, address) {
      await unsubscribe(deps, request.params as UnsubscribeLink, address)
      return { title: 'These mails are off', text: ['You can switch them on again on your account page.'] }
    },
    failed: (message) => ({
      title: 'Nothing has changed',
      text: [message, 'You can also switch these mails off on your account page.'],
    }),
  })
}
