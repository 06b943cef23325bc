import type { Image } from '../../../contract/endpoints/images.ts'

/** What the analysis dialog needs of an image. */
export type AnalyzedImage = Pick<Image, 'id' | 'original_name' | 'url' | 'thumbnailUrl' | 'width' | 'height'> &
  Partial<Pick<Image, 'title' | 'views_left' | 'view_key' | 'placeholder'>>
