// Progress of uploads: percentage and totals. Pure: the caller passes the time.
import { isUnderWay, type UploadItem } from './upload-state.ts'

/** Shares of the progress bar: conversion to 15 %, sending to 95 %, the server's work to 100 %. */
const percentConverted = 15
const percentSent = 95
/** Where no progress is reported, half of the remaining share passes in this time. */
const creepHalfMs = 1500

/** From 0 to 100, not rounded. */
export function percentOf({ stage, sent, since }: Pick<UploadItem, 'stage' | 'sent' | 'since'>, now: number): number {
  const creep = 1 - 2 ** (-Math.max(0, now - since) / creepHalfMs)
  switch (stage) {
    case 'waiting':
    case 'refused':
      return 0
    case 'reading':
    case 'converting':
      return percentConverted * creep
    case 'ready':
      return percentConverted + (percentSent - percentConverted) * sent
    case 'sending':
      return sent < 1
        ? percentConverted + (percentSent - percentConverted) * sent
        : percentSent + (100 - percentSent) * creep
    case 'done':
    case 'failed':
      return 100
  }
}

export interface Figures {
  /** Without the refused items. */
  total: number
  done: number
  failed: number
  underWay: number
  /** Of all bytes, from 0 to 100. */
  percent: number
  bytesLeft: number
  /** Bytes that the server has, of those that are sent. */
  bytesSent: number
  /** Bytes of the original files: the finished share, and all. */
  work: number
  allWork: number
  /** Bytes of the converted files before and after. */
  saved: { from: number; to: number } | undefined
}

export function figuresOf(items: readonly UploadItem[], now: number): Figures {
  const counted = items.filter(({ stage }) => stage !== 'refused')
  const sum = (of: (item: UploadItem) => number, among: readonly UploadItem[] = counted) =>
    among.reduce((total, item) => total + of(item), 0)
  const allWork = sum(({ file }) => file.size)
  const work = sum((item) => (item.file.size * percentOf(item, now)) / 100)
  const converted = counted.filter(({ stage, prepared }) => stage === 'done' && prepared?.outcome === 'converted')
  const underWay = counted.filter(isUnderWay)
  return {
    total: counted.length,
    done: items.filter(({ stage }) => stage === 'done').length,
    failed: items.filter(({ stage }) => stage === 'failed').length,
    underWay: underWay.length,
    percent: allWork === 0 ? 0 : (100 * work) / allWork,
    bytesLeft: sum(({ file, prepared, sent }) => (prepared?.file ?? file).size * (1 - sent), underWay),
    bytesSent: sum(({ file, prepared, sent }) => (prepared?.file ?? file).size * sent),
    work,
    allWork,
    saved:
      converted.length === 0
        ? undefined
        : {
            from: sum(({ file }) => file.size, converted),
            to: sum(({ prepared }) => prepared?.file.size ?? 0, converted),
          },
  }
}
