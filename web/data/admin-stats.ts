// The figures of the overview.
import { createLoaded } from './loaded.ts'

const loadClient = async () => (await import('./http.ts')).client

export const databaseStats = createLoaded('The figures', async () => (await loadClient()).getDatabaseStats())
export const userStats = createLoaded('The figures about users', async () => (await loadClient()).getUserStats())
