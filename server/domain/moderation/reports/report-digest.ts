// The mail about newly reported images.
import { sql } from 'kysely'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ReportCasesTable } from '../../../db/schema.ts'
import type { Deps, InTransaction } from '../../shared/deps.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { mailSite, reportDigest } from '../../mail/mail-texts.ts'
import { fileNameStem } from '../../images/image-names.ts'
import { findCaseReasons } from './case-reasons.ts'

const { everyMs, maxListed } = reportLimits.digest
/** Settings row with the time of the last digest in UTC milliseconds, shared by all servers. */
const digestSetting = 'report_digest'

/**
 * Queues a mail to the site's address about images that were reported since the last one, at most
 * one an hour. Further reports of an announced image are not announced.
 */
export async function sendReportDigest(deps: Deps, now = deps.now()): Promise<{ digests: number; images: number }> {
  const none = { digests: 0, images: 0 }
  if (!deps.mail) return none
  return deps.db.transaction().execute(async (db) => {
    const within = { ...deps, db }
    if (!(await claimDigest(within, now))) return none
    const announced = await db
      .updateTable('report_cases')
      .set({ announced_at: now })
      .where('announced_at', 'is', null)
      .where('decided_at', 'is', null)
      .returning(['id', 'original_name', 'opened_at', 'report_count'])
      .execute()
    await queueDigest(
      within,
      announced.toSorted((a, b) => a.opened_at - b.opened_at),
    )
    return { digests: 1, images: announced.length }
  })
}

/**
 * Whether this server sends a digest now: there is something to announce, and the last digest is an
 * hour old. The row is written first and blocks other servers until the transaction ends.
 */
async function claimDigest({ db }: Pick<Deps, 'db'>, now: number): Promise<boolean> {
  const sentAt = sql<number>`cast(settings.value as bigint)`
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .columns(['name', 'value'])
    .expression((query) =>
      query
        .selectFrom('report_cases')
        .select([
          query.cast<string>(query.val(digestSetting), 'text').as('name'),
          query.cast<string>(query.val(String(now)), 'text').as('value'),
        ])
        .where('announced_at', 'is', null)
        .where('decided_at', 'is', null)
        .limit(1),
    )
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((update) => ({ value: update.ref('excluded.value') }))
        // A time in the future is of a clock that was wrong.
        .where((where) => where.or([where(sentAt, '<=', now - everyMs), where(sentAt, '>', now)])),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

type Announced = Pick<ReportCasesTable, 'id' | 'original_name' | 'report_count'>

async function queueDigest(deps: InTransaction<Deps>, announced: Announced[]): Promise<void> {
  const listed = announced.slice(0, maxListed)
  const reasonsOf = await findCaseReasons(
    deps,
    listed.map(({ id }) => id),
  )
  const text = reportDigest(mailSite(deps), {
    listed: listed.map((row) => ({
      ...row,
      slug: fileNameStem(row.original_name),
      reasons: reasonsOf.get(row.id) ?? [],
    })),
    total: announced.length,
  })
  await queueMail(deps, text)
}
