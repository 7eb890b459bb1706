import type { AriaLabelConfig } from '@xyflow/react'
import { useSettings } from '../app/settings'

const zh: Partial<AriaLabelConfig> = {
  'node.a11yDescription.default': '按 Enter 或空格键选中；选中后用方向键移动，按 Esc 取消。',
  'node.a11yDescription.keyboardDisabled': '按 Enter 或空格键选中；选中后用方向键移动，按 Esc 取消。',
  'edge.a11yDescription.default': '按 Enter 或空格键选中连线，按 Esc 取消。',
  'controls.ariaLabel': '画布控制',
  'controls.zoomIn.ariaLabel': '放大',
  'controls.zoomOut.ariaLabel': '缩小',
  'controls.fitView.ariaLabel': '适应窗口',
  'controls.interactive.ariaLabel': '切换交互',
  'minimap.ariaLabel': '缩略图',
  'handle.ariaLabel': '连接点',
  'node.a11yDescription.ariaLiveMessage': ({ direction, x, y }) => `节点已移动（${direction}），新位置 x：${x}，y：${y}`,
}

/** What the canvas says to screen readers; English is its own. */
export function useCanvasWords(): Partial<AriaLabelConfig> | undefined {
  return useSettings().lang === 'zh' ? zh : undefined
}
