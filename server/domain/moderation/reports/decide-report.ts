// Decisions of admins about reported images (docs/decisions/0033).
import type { Input } from '../../../../contract/endpoints/api.ts'
import { reasonNames, type ReportReason } from '../../../../contract/plain/report-reasons.ts'
import type { ReportCasesTable } from '../../../db/schema.ts'
import { accountIdOf, actorIdOf, audit, type AuditEvent, type AuditOrigin } from '../../audit/audit.ts'
import type { RequestOrigin } from '../../shared/caller.ts'
import type { Deps, InTransaction } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser } from '../../mail/mail-queue.ts'
import { mailSite, takedownNotice } from '../../mail/mail-texts.ts'
import type { ImageRow } from '../../images/image-row.ts'
import { findModeratedImage } from '../../images/find-image.ts'
import { moderate } from '../moderate-images.ts'
import { deleteBytes } from '../../images/deletion/remove-images.ts'
import { retryWhenDiskFull } from '../../shared/retry-when-disk-full.ts'
import { findCaseReasons } from './case-reasons.ts'

type Decision = AuditOrigin & Pick<Input<'decideReport'>, 'params' | 'body'>
type Takedown = Exclude<Decision['body']['action'], 'dismiss'>

export const decideReport = (deps: Deps, { caller, ...request }: RequestOrigin & Input<'decideReport'>) =>
  decideCase(deps, { actor: caller, ...request })

/**
 * Closes a case. The decision, the moderation of the image and the mail to its owner are one
 * transaction.
 * @throws {Failure} report_not_found, report_decided, image_gone, image_not_found: the image of a
 * case that is not dismissed no longer exists; the case stays open. block_list_full
 */
export async function decideCase(deps: Deps, decision: Decision) {
  const { imageId, removed } = await retryWhenDiskFull(deps, () =>
    deps.db.transaction().execute((db) => storeDecision({ ...deps, db }, decision)),
  )
  await deleteBytes(deps, removed)
  const { actor, params, body } = decision
  deps.log.info({ by: actorIdOf(actor), caseId: params.caseId, action: body.action, imageId }, 'report decided')
  return { success: true as const }
}

/** Dismisses the open ones of the given cases. */
export async function dismissReports(
  deps: Deps,
  { caller, address, body: { caseIds, note = '' } }: RequestOrigin & Pick<Input<'dismissReports'>, 'body'>,
) {
  const dismissed = await deps.db.transaction().execute(async (db) => {
    const decided = await db
      .updateTable('report_cases')
      .set({ decision: 'dismiss', note, decided_at: deps.now(), decided_by: caller.account.id })
      .where('id', 'in', caseIds)
      .where('decided_at', 'is', null)
      .returning(['id', 'image_id', 'report_count'])
      .execute()
    await audit({ ...deps, db }, ...decided.map((row) => decisionEntry({ actor: caller, address }, 'dismiss', row)))
    return decided.length
  })
  deps.log.info({ by: caller.account.id, dismissed }, 'reports dismissed')
  return { success: true as const, dismissed }
}

const decisionEntry = (
  { actor, address }: AuditOrigin,
  decision: Decision['body']['action'],
  { id, image_id, report_count: reports }: Pick<ReportCasesTable, 'id' | 'image_id' | 'report_count'>,
): AuditEvent => ({
  actor,
  address,
  action: 'report_decided',
  target: { id: image_id },
  details: { decision, reportCase: id, reports },
})

async function storeDecision(
  deps: InTransaction<Deps>,
  { actor, address, params: { caseId }, body: { action, note = '' } }: Decision,
): Promise<{ imageId: string; removed: { id: string }[] }> {
  const decided = await deps.db
    .updateTable('report_cases')
    .set({ decision: action, note, decided_at: deps.now(), decided_by: accountIdOf(actor) })
    .where('id', '=', caseId)
    .where('decided_at', 'is', null)
    .returning(['id', 'image_id', 'report_count'])
    .executeTakeFirst()
  if (!decided) throw new Failure((await isKnown(deps, caseId)) ? 'report_decided' : 'report_not_found')
  const { image_id: imageId } = decided
  await audit(deps, decisionEntry({ actor, address }, action, decided))
  if (action === 'dismiss') return { imageId, removed: [] }
  const image = await findModeratedImage(deps, imageId)
  const reasons = (await findCaseReasons(deps, [caseId])).get(caseId) ?? []
  const reason = `Reported: ${reasonNames(reasons)}`
  const { removed } = await moderate(deps, [imageId], { action, reason, actor, address })
  await notifyOwner(deps, image, action, reasons)
  return { imageId, removed }
}

async function notifyOwner(
  deps: InTransaction<Deps>,
  image: ImageRow,
  action: Takedown,
  reasons: ReportReason[],
): Promise<void> {
  if (image.owner_id === null) return
  const text = takedownNotice(mailSite(deps), { isRemoved: action !== 'quarantine', image, reasons })
  await notifyUser(deps, image.owner_id, text)
}

const isKnown = async ({ db }: Deps, caseId: string) =>
  (await db.selectFrom('report_cases').select('id').where('id', '=', caseId).executeTakeFirst()) !== undefined
