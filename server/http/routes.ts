// Maps each endpoint to its domain function. The type checks that none is missing.
import { getMe, updateMe } from '../domain/accounts/own-account.ts'
import { login, logout, logoutEverywhere } from '../domain/accounts/login.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../domain/accounts/api-keys.ts'
import { confirmEmail, requestEmailConfirmation } from '../domain/accounts/email/confirm-email.ts'
import { completePasswordReset, requestPasswordReset } from '../domain/accounts/email/password-reset.ts'
import { register } from '../domain/accounts/registration.ts'
import { deletePasskey, deleteTotp, getSecurity } from '../domain/accounts/factors/remove-factors.ts'
import { createInvite, deleteInvite, listInvites } from '../domain/accounts/invites.ts'
import { deleteIdentity, startIdentity } from '../domain/accounts/providers/identities.ts'
import { finishOidc, startOidcLogin } from '../domain/accounts/providers/oidc-login.ts'
import { addToAlbum, moveInAlbum, removeFromAlbum } from '../domain/albums/change-album-images.ts'
import { listAlbumImages } from '../domain/albums/list-album-images.ts'
import { createAlbum, getAlbum, listAlbums, updateAlbum } from '../domain/albums/albums.ts'
import { deleteAlbum } from '../domain/albums/delete-album.ts'
import { sortAlbum } from '../domain/albums/sort-album.ts'
import { exportAuditEntries, listAuditEntries } from '../domain/audit/read-audit-log.ts'
import { deleteMe, restoreMe } from '../domain/accounts/delete-account.ts'
import { createOwnDataLink, downloadOwnData, downloadOwnDataByLink } from '../domain/accounts/own-data.ts'
import { addPasskey, renamePasskey, startPasskey } from '../domain/accounts/factors/passkeys.ts'
import { startPasskeyLogin } from '../domain/accounts/factors/passkey-login.ts'
import { createRecoveryCodes } from '../domain/accounts/factors/recovery-codes.ts'
import { confirmIdentity, loginWithCode, loginWithPasskey } from '../domain/accounts/factors/second-factor-login.ts'
import { confirmTotp, startTotp } from '../domain/accounts/factors/totp.ts'
import { deleteOtherSessions, deleteSession, listSessions } from '../domain/accounts/own-sessions.ts'
import {
  createUser,
  deleteUser,
  getUserStats,
  listUsers,
  promoteUser,
  updateUser,
} from '../domain/accounts/manage-users.ts'
import {
  blockNetworks,
  blockUploader,
  listBlockedNetworks,
  unblockNetworks,
} from '../domain/moderation/blocked-networks.ts'
import { createBackupLink, downloadBackupByLink } from '../domain/backups/backup-links.ts'
import { deleteBackup, downloadBackup, listBackups, startBackup } from '../domain/backups/backups.ts'
import { deleteCollection, listCollections } from '../domain/database-view/collections.ts'
import {
  createDocuments,
  deleteDocuments,
  getDocument,
  listDocuments,
  updateDocument,
} from '../domain/database-view/collection-documents.ts'
import { getDatabaseStats } from '../domain/operations/instance-stats.ts'
import { lockDatabase, unlockDatabase } from '../domain/database-view/database-unlock.ts'
import { analyzeImage } from '../domain/delivery/image-analysis.ts'
import { blockImages, listBlockedImages, unblockImages } from '../domain/moderation/blocked-images.ts'
import { addToGuestAlbum, createGuestAlbum, deleteGuestAlbum } from '../domain/albums/guest-album.ts'
import { claimImages } from '../domain/uploads/claim-images.ts'
import { getImage } from '../domain/images/managed-image.ts'
import { extendImage } from '../domain/images/expiry/extend-image.ts'
import { restoreImage } from '../domain/images/deletion/restore-images.ts'
import { deleteImage } from '../domain/images/deletion/delete-image.ts'
import { updateImage } from '../domain/images/update-image.ts'
import { getImageViews } from '../domain/delivery/views-left.ts'
import { listExpiringImages, listImages } from '../domain/images/lists/list-images.ts'
import { outlineImages } from '../domain/images/lists/gallery-outline.ts'
import { listAllImages } from '../domain/images/lists/list-all-images.ts'
import { moderateImages } from '../domain/moderation/moderate-images.ts'
import { decideReport, dismissReports } from '../domain/moderation/reports/decide-report.ts'
import { listReports } from '../domain/moderation/reports/list-reports.ts'
import { sendReport } from '../domain/moderation/reports/send-report.ts'
import { getImageFile, getNamedImageFile } from '../domain/delivery/image-engine.ts'
import { getOriginal, getOwnOriginal } from '../domain/delivery/originals.ts'
import { createViewKey, endViewKeys, setVisibility } from '../domain/images/change-visibility.ts'
import { setExpiry } from '../domain/images/expiry/set-expiry-of-several.ts'
import { signVariant } from '../domain/delivery/signed-variants.ts'
import { cleanUp, previewCleanup } from '../domain/images/deletion/sweep.ts'
import { acceptAlbumInvite, addAlbumMember } from '../domain/members/album-invites.ts'
import { listAlbumMembers, removeAlbumMember, updateAlbumMember } from '../domain/members/members.ts'
import { createLink, deleteLink, updateLink } from '../domain/links/links.ts'
import { listLinks } from '../domain/links/list-links.ts'
import { tagImages } from '../domain/images/tags/tag-images.ts'
import { deleteTag, updateTag } from '../domain/images/tags/change-tag.ts'
import { listTags } from '../domain/images/tags/tag-list.ts'
import {
  deleteFromTrash,
  emptyTrash,
  listTrash,
  moveToTrash,
  restoreFromTrash,
} from '../domain/images/deletion/trash.ts'
import { getLimits } from '../domain/uploads/upload-limits.ts'
import { uploadImage } from '../domain/uploads/upload-one.ts'
import { getJpeg, getResized, getResizedToBox, getThumbnail, getWebp } from '../domain/delivery/older-variant-paths.ts'
import { previewImage, viewOwnImage, viewTrashedImage } from '../domain/delivery/private-previews.ts'
import { listWebhookDeliveries, resendWebhookDelivery, testWebhook } from '../domain/webhooks/delivery-list.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../domain/webhooks/webhooks.ts'
import { sendEmail, sendEmailForm } from './protocols/emailjs.ts'
import type { Handlers } from './handler.ts'

export const handlers: Handlers = {
  register,
  login,
  logout,
  logoutEverywhere,
  getMe,
  updateMe,
  requestEmailConfirmation,
  confirmEmail,
  requestPasswordReset,
  completePasswordReset,
  confirmIdentity,
  deleteMe,
  restoreMe,
  downloadOwnData,
  createOwnDataLink,
  downloadOwnDataByLink,

  listSessions,
  deleteSession,
  deleteOtherSessions,

  loginWithCode,
  startPasskeyLogin,
  loginWithPasskey,
  startOidcLogin,
  finishOidc,
  getSecurity,
  startTotp,
  confirmTotp,
  deleteTotp,
  createRecoveryCodes,
  startPasskey,
  addPasskey,
  renamePasskey,
  deletePasskey,
  startIdentity,
  deleteIdentity,

  listUsers,
  createUser,
  getUserStats,
  updateUser,
  deleteUser,
  promoteUser,
  createInvite,
  listInvites,
  deleteInvite,

  listAuditEntries,
  exportAuditEntries,

  createApiKey,
  listApiKeys,
  deleteApiKey,

  createWebhook,
  listWebhooks,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  resendWebhookDelivery,

  getDatabaseStats,
  startBackup,
  listBackups,
  downloadBackup,
  createBackupLink,
  downloadBackupByLink,
  deleteBackup,
  previewCleanup,
  cleanUp,

  unlockDatabase,
  lockDatabase,
  listCollections,
  deleteCollection,
  listDocuments,
  createDocuments,
  getDocument,
  updateDocument,
  deleteDocuments,

  uploadImage,
  listImages,
  outlineImages,
  claimImages,
  createGuestAlbum,
  addToGuestAlbum,
  deleteGuestAlbum,
  listTrash,
  viewTrashedImage,
  moveToTrash,
  restoreFromTrash,
  deleteFromTrash,
  emptyTrash,
  listTags,
  updateTag,
  deleteTag,
  tagImages,
  listAlbums,
  createAlbum,
  getAlbum,
  updateAlbum,
  deleteAlbum,
  listAlbumImages,
  addToAlbum,
  moveInAlbum,
  removeFromAlbum,
  sortAlbum,
  listAlbumMembers,
  addAlbumMember,
  updateAlbumMember,
  removeAlbumMember,
  acceptAlbumInvite,

  createLink,
  listLinks,
  updateLink,
  deleteLink,

  listExpiringImages,
  getImage,
  updateImage,
  getImageViews,
  viewOwnImage,
  getOwnOriginal,
  deleteImage,
  restoreImage,
  extendImage,
  setVisibility,
  setExpiry,
  createViewKey,
  endViewKeys,
  signVariant,
  analyzeImage,
  getImageFile,
  getNamedImageFile,
  getOriginal,
  getThumbnail,
  getResized,
  getResizedToBox,
  getJpeg,
  getWebp,
  getLimits,

  listAllImages,
  moderateImages,
  previewImage,
  blockUploader,

  sendReport,
  listReports,
  decideReport,
  dismissReports,
  listBlockedImages,
  blockImages,
  unblockImages,
  listBlockedNetworks,
  blockNetworks,
  unblockNetworks,

  sendEmail,
  sendEmailForm,
}
