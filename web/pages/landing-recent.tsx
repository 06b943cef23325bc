import { RecentUploads } from '../features/gallery/recent-uploads.tsx'
import type { ShownImage } from '../model/images/stored-image.ts'
import { CopyAllImages } from './copy-all-images.tsx'

/** What a guest has uploaded, with 'Copy all' for images that were uploaded together. */
export const LandingRecent = ({ onEmbed }: { onEmbed: (image: ShownImage) => void }) => (
  <RecentUploads onEmbed={onEmbed} batchActions={(images) => <CopyAllImages images={images} />} />
)
