// Stores reports of images, grouped by image until an admin decides (docs/decisions/0033).
import type { Input } from '../../../../contract/endpoints/api.ts'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { Deps, InTransaction } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { assertTimelyForm, throttleUntimedForm } from '../../shared/form-timing.ts'
import { newId } from '../../shared/secrets.ts'
import { throttle, throttleAddress } from '../../shared/throttle.ts'
import { queueImageEvents } from '../../webhooks/queue-events.ts'
import type { ImageRow } from '../../images/image-row.ts'
import { findIdIn, findLiveImage, idsIn } from '../../images/find-image.ts'
import { findViewKey } from '../../images/sharing/view-keys.ts'
import { viewableBy } from '../../images/may-view.ts'

const bounds = reportLimits

type Report = Input<'sendReport'>['body']

/**
 * Stores a report. A report of an image that is not served does not count for the rate limit.
 * @throws {Failure} untimely_form, image_not_found, image_gone, image_unavailable, too_many_requests,
 * reports_full
 */
export async function sendReport(deps: Deps, { address, body }: { address: string; body: Report }) {
  // A honeypot field that people do not see. A bot that fills it gets a success response.
  if (body.website) return { success: true as const }
  assertTimelyForm(body.time, deps.now())
  const image = await findReportedImage(deps, body.image)
  await throttleAddress(deps, address, { key: 'report', ...bounds.perAddress })
  await throttleUntimedForm(deps, { name: 'report', time: body.time })
  await throttle(deps, { key: 'report', ...bounds.perInstance })
  await deps.db.transaction().execute((db) => storeReport({ ...deps, db }, image, body))
  deps.metrics.report(body.reason)
  deps.log.info({ imageId: image.id, reason: body.reason }, 'image reported')
  return { success: true as const }
}

/** Who reports a private image has its address with the key. @throws {Failure} image_not_found, image_gone, image_unavailable */
async function findReportedImage(deps: Deps, text: string): Promise<ImageRow> {
  const mayView = viewableBy(deps, { key: findViewKey(text) })
  const id = (await findIdIn(deps, text, mayView)) ?? idsIn(text).at(-1)
  if (id === undefined) throw new Failure('image_not_found')
  return findLiveImage(deps, 'id', id, mayView)
}

/** Adds the report to the open case of the image, or opens one. @throws {Failure} reports_full */
async function storeReport(
  deps: InTransaction<Deps>,
  image: ImageRow,
  { reason, comment = '', email }: Report,
): Promise<void> {
  const now = deps.now()
  const opened = await deps.db
    .insertInto('report_cases')
    .values({
      id: newId(deps),
      image_id: image.id,
      original_name: image.original_name,
      owner_id: image.owner_id,
      opened_at: now,
      report_count: 1,
      announced_at: null,
      decision: null,
      note: null,
      decided_at: null,
      decided_by: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('image_id')
        .where('decided_at', 'is', null)
        .doUpdateSet((update) => ({ report_count: update('report_cases.report_count', '+', 1) })),
    )
    .returning(['id', 'report_count'])
    .executeTakeFirstOrThrow()
  if (opened.report_count > bounds.maxStoredPerImage) return
  if ((await countOpenReports(deps)).stored > bounds.maxOpen) throw new Failure('reports_full')
  await deps.db
    .insertInto('reports')
    .values({ id: newId(deps), case_id: opened.id, reason, comment, email: email ?? null, created_at: now })
    .execute()
  const details = { case_id: opened.id, reason, reports: opened.report_count }
  await queueImageEvents(deps, 'image.reported', [{ image, details }])
}

/** @returns the images to decide about, their reports, and how many of these are stored */
export async function countOpenReports({
  db,
}: Pick<Deps, 'db'>): Promise<{ images: number; reports: number; stored: number }> {
  const max = bounds.maxStoredPerImage
  const { images, reports, stored } = await db
    .selectFrom('report_cases')
    .select((select) => [
      select.fn.countAll<number>().as('images'),
      select.fn.sum<number | null>('report_count').as('reports'),
      select.fn
        .sum<number | null>(
          select.case().when('report_count', '>', max).then(max).else(select.ref('report_count')).end(),
        )
        .as('stored'),
    ])
    .where('decided_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { images, reports: reports ?? 0, stored: stored ?? 0 }
}
