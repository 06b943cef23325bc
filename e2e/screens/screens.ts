// All screens, which screens.spec.ts checks for accessibility and layout.
import { accountScreens } from './account-screens.ts'
import { adminScreens } from './admin-screens.ts'
import { albumScreens } from './album-screens.ts'
import { apiDocsScreens } from './api-docs-screens.ts'
import { apiKeyScreens } from './api-key-screens.ts'
import { dashboardScreens } from './dashboard-screens.ts'
import { databaseScreens } from './database-screens.ts'
import { linkPageScreens } from './link-page-screens.ts'
import { linkScreens } from './link-screens.ts'
import { loginScreens } from './login-screens.ts'
import { visitorScreens } from './visitor-screens.ts'
import type { Screens } from './open-screen.ts'

export const screens: Screens = {
  ...visitorScreens,
  ...loginScreens,
  ...accountScreens,
  ...apiKeyScreens,
  ...dashboardScreens,
  ...albumScreens,
  ...linkScreens,
  ...linkPageScreens,
  ...apiDocsScreens,
  ...adminScreens,
  ...databaseScreens,
}
