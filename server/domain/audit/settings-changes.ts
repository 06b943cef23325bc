// Notes in the audit log which settings differ from those of the previous start.
import { findStoredValue, storeValue } from '../../db/stored-values.ts'
import { type Config, secretSettings } from '../../config.ts'
import { audit, type AuditDeps } from './audit.ts'

/** Of the settings table: the settings of the latest start, as JSON. */
const setting = 'audited_settings'
/** These differ between the servers of one instance. */
const ofProcess = ['PORT', 'HOST', 'DATA_DIR', 'LOG_LEVEL']

type Settings = Record<string, unknown>

/** @param names all settings, also those that are not set */
export async function auditSettings(deps: AuditDeps, names: string[]): Promise<void> {
  const { db, config } = deps
  const current = describe(config, names)
  const value = JSON.stringify(current)
  const stored = await findStoredValue(db, setting)
  if (stored === value) return
  await db.transaction().execute(async (transaction) => {
    await storeValue(transaction, setting, value)
    const details = stored === undefined ? {} : changes(JSON.parse(stored) as Settings, current)
    if (Object.keys(details).length === 0) return
    await audit({ ...deps, db: transaction }, { actor: 'server', action: 'settings_changed', details })
  })
}

/** Settings that only one version knows are no change by the operator. */
function changes(before: Settings, after: Settings): Record<string, { from: unknown; to: unknown }> {
  const common = Object.keys(before).filter((name) => Object.hasOwn(after, name))
  const differing = common.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(differing.map((name) => [name, { from: before[name], to: after[name] }]))
}

function describe(config: Config, names: string[]): Settings {
  const shown = names.filter((name) => !ofProcess.includes(name)).toSorted((a, b) => (a < b ? -1 : 1))
  return Object.fromEntries(shown.map((name) => [name, shownValue(name, config[name as keyof Config])]))
}

/** Of a secret only whether it is set. */
function shownValue(name: string, value: unknown): unknown {
  if (value === undefined) return null
  return secretSettings.has(name) ? 'set' : value
}
