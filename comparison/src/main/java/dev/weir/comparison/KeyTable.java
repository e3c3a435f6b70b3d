package dev.weir.comparison;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A key table numbers the keys of a trace in the order in which they first appear.
 *
 * <p>A key that is already there is found by its bytes, so reading a log makes one string per key
 * and none per line.
 */
final class KeyTable {

  private String[] names = new String[64];
  private int[] slots = new int[256]; // the number of a key + 1, or 0
  private int size;

  int size() {
    return size;
  }

  String name(int key) {
    return names[key];
  }

  /** Returns the number of the key with these bytes, in UTF-8 or, where they are not, Latin-1. */
  int index(byte[] bytes, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        return index(decode(bytes, from, to));
      }
      hash = 31 * hash + bytes[i]; // that of String.hashCode
    }
    int slot = slot(hash);
    while (slots[slot] != 0) {
      if (same(names[slots[slot] - 1], bytes, from, to)) {
        return slots[slot] - 1;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return add(slot, new String(bytes, from, to - from, StandardCharsets.US_ASCII));
  }

  int index(String name) {
    int slot = slot(name.hashCode());
    while (slots[slot] != 0) {
      if (names[slots[slot] - 1].equals(name)) {
        return slots[slot] - 1;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return add(slot, name);
  }

  static String decode(byte[] bytes, int from, int to) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
  }

  private int add(int slot, String name) {
    if (size == names.length) {
      names = Arrays.copyOf(names, 2 * size);
    }
    names[size++] = name;
    slots[slot] = size;
    if (size > slots.length / 2) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    slots = new int[2 * slots.length];
    for (int key = 0; key < size; key++) {
      int slot = slot(names[key].hashCode());
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = key + 1;
    }
  }

  private int slot(int hash) {
    return ((hash * 0x9E3779B9) >>> 7) & (slots.length - 1);
  }

  private static boolean same(String name, byte[] bytes, int from, int to) {
    if (name.length() != to - from) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (name.charAt(i - from) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
